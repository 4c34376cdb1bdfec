//! Exceeds every limit on the command line: each gives a message and an ordinary exit.

use heddle_tests::limits;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn what_is_beyond_a_limit_is_told_and_ends_nothing() {
    let mut wrong = Vec::new();
    for (_, beyond, words) in limits::cases() {
        let mut child = Command::new(env!("CARGO_BIN_EXE_heddle"))
            .args(["run", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("heddle starts");
        let _ = child.stdin.take().expect("a pipe").write_all(format!("heddle = 1\nuntil = 1\n{beyond}").as_bytes());
        let out = child.wait_with_output().expect("heddle ends");
        let err = String::from_utf8_lossy(&out.stderr);
        if !err.contains(words) || out.status.code().is_none_or(|code| code > 2) {
            wrong.push(format!("{words}: {:?}: {}", out.status, err.chars().take(300).collect::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
