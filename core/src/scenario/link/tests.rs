//! Links: whole, folded, damaged in every way, newer, hostile.

use super::*;

const TEXT: &str = "heddle = 1\ntitle = \"Zwei Knoten, größer\" # kept\n\n[[nodes]]\nname = \"n\"\ncount = 2\nsize = \"8 GB/8\"\n\n[[apps]]\nname = \"zk\"\nkind = \"distributed-shell\"\nspec = \"zk(3),NOTIN,NODE,zk\"\nsize = \"1 GB/1\"\n";

fn view() -> View {
    View { time_ms: Some(20_000), select: Some("request:zk/0_3".into()), ..View::default() }
}

#[test]
fn a_link_opens_to_what_was_put_in() {
    let proof = Proof { core: "0.1.0".into(), fingerprint: 0x0123_4567_89ab_cdef };
    let link = write(TEXT, &view(), Some(&proof)).unwrap();
    assert!(link.starts_with("#1."));
    assert!(link.chars().all(|c| c.is_ascii_alphanumeric() || "#.-_".contains(c)), "{link}");
    let opened = open(&format!("https://example.org/heddle/{link}"));
    assert!(opened.is_whole());
    assert_eq!(opened, Opened { text: Some(TEXT.into()), view: view(), proof: Some(proof), problems: vec![] });
    let plain = write(TEXT, &View::default(), None).unwrap();
    assert_eq!(plain.matches('.').count(), 1);
    assert_eq!(open(&plain[1..]).text.as_deref(), Some(TEXT));
}

#[test]
fn the_view_does_not_change_the_scenario_part() {
    let (a, b) = (write(TEXT, &view(), None).unwrap(), write(TEXT, &View::default(), None).unwrap());
    assert!(a.starts_with(&b));
}

#[test]
fn folding_wrapping_and_punctuation_do_no_harm() {
    let link = write(TEXT, &view(), None).unwrap();
    let mut folded = String::new();
    for (i, c) in link.chars().enumerate() {
        if i % 76 == 75 {
            folded.push_str("\r\n ");
        }
        folded.push(c);
    }
    assert!(open(&folded).is_whole());
    for behind in [").", "\u{201d}", "\u{bb}.", "…", "`", "**", "|", "\u{3002}"] {
        assert!(open(&format!("{link}{behind}")).is_whole(), "{behind}");
    }
    let encoded = link.replace('#', "%23");
    for redirect in [
        format!("https://a.b/{encoded}"),
        format!("https://mail.example/?url=https%3A%2F%2Fa.b%2F{encoded}&data=05%7C1"),
    ] {
        assert!(open(&redirect).is_whole(), "{redirect}");
    }
    assert!(open(&link.replace('.', "%2E").replace('-', "%2d")).is_whole());
}

#[test]
fn a_cut_link_says_how_much_of_it_came_and_keeps_what_makes_sense() {
    let long: String = (1..60)
        .map(|i| format!("[[apps]]\nname = \"a{}\"\ntasks = [{{ count = {} }}]\n", i * 7919 % 1000, i * i))
        .collect();
    let text = format!("title = \"x\"\n[[nodes]]\nname = \"n\"\ncount = 3\nsize = \"8 GB/8\"\n{long}");
    let link = write(&text, &View::default(), None).unwrap();
    let opened = open(&link[..link.len() / 2]);
    let what = &opened.problems[0].what;
    let expected = format!("The link ends after {} of {} characters. 3 nodes and ", link.len() / 2 - 1, link.len() - 1);
    assert!(what.starts_with(&expected), "{what}");
    let kept = opened.text.unwrap();
    assert!(text.starts_with(&kept) && read(&kept).scenario.is_some_and(|s| s.apps.len() > 10));
    // No truncated link panics or claims to be whole.
    for n in 0..link.len() {
        let opened = open(&link[..n]);
        assert!(!opened.is_whole(), "{n}");
        assert!(!opened.problems[0].what.is_empty());
    }
}

#[test]
fn a_changed_character_is_noticed() {
    let link = write(TEXT, &View::default(), None).unwrap();
    for i in 3..link.len() {
        for c in ['A', 'z', '!', 'é'] {
            let mut changed: Vec<char> = link.chars().collect();
            if changed[i] == c {
                continue;
            }
            changed[i] = c;
            let opened = open(&changed.iter().collect::<String>());
            // The last character may carry unused bits.
            assert!(!opened.is_whole() || i + 1 == link.len(), "{i} {c}");
        }
    }
}

#[test]
fn what_is_not_a_link_is_told_in_words() {
    let says = |link: &str| open(link).problems[0].what.clone();
    assert!(says("").starts_with("The link arrived without its scenario"));
    assert!(says("https://example.org/#").starts_with("The link arrived without its scenario"));
    assert_eq!(says("#7.abc"), "This link has format 7; here formats up to 1 are known.");
    assert!(says("#hello").starts_with("This is not a link to a scenario"));
    assert!(says("#1.").contains("before its scenario begins"));
    assert!(says(&"x".repeat(100_000)).starts_with("The link has 97 kB; links go up to 64 kB"));
    assert!(says(&"x".repeat(10_000_000)).starts_with("The link has 9765 kB"));
    assert!(says(&format!("#1.{}", "_".repeat(5000))).contains("before its scenario"));
}

#[test]
fn a_link_that_would_be_too_long_is_refused_in_words() {
    let mut noise = 1u32;
    let text: String = (0..200_000)
        .map(|_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b'a' + (noise >> 24) as u8 % 26)
        })
        .collect();
    let problem = write(&text, &View::default(), None).unwrap_err();
    assert!(problem.what.contains("links go up to 64 kB"), "{}", problem.what);
}

#[test]
fn a_claim_of_a_huge_text_is_refused_before_any_room_is_made() {
    let mut bytes = vec![0, 4];
    put_number(&mut bytes, 1 << 40);
    bytes.extend([0; 20]);
    let opened = open(&format!("#1.{}", base64::encode(&bytes)));
    assert!(opened.problems[0].what.contains("up to 16 MB can be read"), "{:?}", opened.problems);
}
