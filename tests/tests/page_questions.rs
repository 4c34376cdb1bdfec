//! The gallery's questions in the built page: each is opened, the obvious thing is selected, and the page must show what the
//! question asks for, with the numbers. Also other ways to answer: other worlds side by side, a refused refresh beside its
//! entry, a spec whose clauses light up, the report of a broken invariant.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::json;
use support::page::{READY, call, choose, click, load, paste, pick, press, scenario, state, state_is, text};
use support::{Browser, EVERY, PATIENCE, Twist, complaints, finish, start, until, with_page};
use thirtyfour::prelude::*;

/// A question: its file, the moment in ms (`-1` for where it opens), the selection ("" for none), and the words on the page.
type Question = (&'static str, i64, &'static str, &'static [&'static str]);

const QUESTIONS: &[Question] = &[
    (
        "q01-stuck-in-accepted",
        -1,
        "",
        &[
            "second AM has waited 18 s",
            "more than the limit of 1 GB; this one needs 2 GB",
            "2 + 2 > 1",
            "maximum-am-resource-percent = 0.31",
            "second AM ⟶ first",
            "Queue's AM resource limit exceeded",
        ],
    ),
    ("q02-no-node-yet", -1, "", &["No node is registered.", "Skipping AM assignment as cluster resource is empty"]),
    ("q02-no-node-yet", 61_000, "queue:root.default", &["AM limit", "1 GB"]),
    ("q03-no-nodemanagers", -1, "app:train", &["no node is registered", "ACCEPTED: added, not activated"]),
    (
        "q03-no-nodemanagers",
        90_000,
        "app:train",
        &["ACCEPTED: activated, waits for its AM container", "Application is Activated, waiting for resources"],
    ),
    (
        "q04-49-percent",
        -1,
        "",
        &[
            "root.jobs uses 2 GB",
            "2 GB more would pass its maximum of 4014 MB",
            "1966 MB are left, and the smallest container is 2048 MB: the headroom, rounded down, is 0",
            "The user limit, rounded up to 4096 MB",
            "Compare with 50 and 50 from the start",
        ],
    ),
    (
        "q05-masters-fill-the-cluster",
        -1,
        "queue:root.default",
        &["ApplicationMasters hold 20 GB of it, 100 %; tasks hold 0 MB", "0.1 and 1 more"],
    ),
    ("q05b-limit-for-masters", -1, "", &["AMs of root.default (job01 and job02) use 2 GB", "2 + 1 > 2"]),
    (
        "q06-am-limit-full-parent",
        -1,
        "",
        &["the larger of etl's guarantee", "4 + 2 > 5", "would pass the limit of 5 GB"],
    ),
    (
        "q07a-large-am",
        -1,
        "",
        &[
            "5 + 5 > 8",
            "would pass the limit of 8 GB",
            "Is the limit counted in containers or in memory",
            "8 active applications, however large their AMs",
        ],
    ),
    ("q07b-finer-accepted", -1, "app:waits-for-container", &["activated, waits for its AM container, for 10 s"]),
    ("q07b-finer-accepted", -1, "app:waits-for-am-limit", &["added, not activated, for 10 s"]),
    (
        "q07b-finer-accepted",
        -1,
        "app:waits-for-parallel-limit",
        &["held back by a limit of parallel applications, for 10 s", "YARN's diagnostics empty while"],
    ),
    (
        "q18-demand-of-zero",
        -1,
        "app:b-job",
        &["asked for after the last update of demand", "updated every 20 s", "Compare with update-interval-ms = 500"],
    ),
    (
        "q19-user-limit-factor",
        -1,
        "",
        &[
            "alice uses 12 GB in root.a; the user limit is 10 GB",
            "12 > 10",
            "user-limit-factor = 1.5",
            "headroom root.a not reached",
            "9 + 3 > 10, so it stopped at 9",
        ],
    ),
    (
        "q20-user-limit-table",
        355_000,
        "request:job1/20_-1",
        &["The manual: 33.33 % each (printed as 30.33 %)", "user1", "21"],
    ),
    ("q20-user-limit-table", -1, "", &["user 6 waits", "user6"]),
    ("q21-one-user-fifo-or-fair", -1, "app:fifo-1", &["used", "21 GB"]),
    ("q21-one-user-fifo-or-fair", -1, "app:fair-4", &["used", "6 GB", "Compare with ordering-policy = fair"]),
    (
        "q22-pending-users",
        -1,
        "",
        &[
            "AMs of root.default (job-1 and job-2) use 3 GB",
            "cid",
            "0 + 1 waiting",
            "no",
            "2 of 4 users count as active",
            "8.5 GB. Were cid and dov counted too, it would be 4.5 GB",
        ],
    ),
    (
        "q23-headroom-too-large",
        -1,
        "app:job",
        &["n1 has 0 MB free, n2 is blacklisted", "headroom told to its AM", "8 GB", "All 3 limits passed"],
    ),
    (
        "q24-nested-jobs",
        -1,
        "",
        &[
            "AMs of ann in root.default (launcher) use 1 GB",
            "child AM ⟶ launcher",
            "launcher ⟶ child",
            "its task launcher-1 works until child is over",
            "its AM holds 1 GB of the user AM limit",
        ],
    ),
    ("q25-one-at-a-time", -1, "", &["root.a runs 1 application and may run 1 at a time", "a2 AM ⟶ a1"]),
    ("q25-one-at-a-time", -1, "app:b2", &["Queue root.b already has 1 applications, cannot accept submission"]),
    ("q26-parallel-apps", -1, "queue:root.all", &["ApplicationMasters hold 20 GB of it", "tasks hold 4 GB"]),
    ("q26b-sweep", -1, "", &["root.default runs 1 application", "Compare with max-parallel-apps = 2 and 5 more"]),
    (
        "q27-reservation",
        -1,
        "request:big/20_-1",
        &["n2 is held for it", "7 GB of the 16 GB that it is guaranteed", "placed in the meantime", "of small on"],
    ),
    (
        "q28-two-reservations",
        -1,
        "app:right",
        &[
            "3 > 1",
            "3 GB is reserved (left-2 on n1)",
            "given up when its application wants it no longer, its node goes, or another node has room",
        ],
    ),
    (
        "q29-reservations-everywhere",
        -1,
        "",
        &["10 more are held for it", "Free, node by node", "holds 13 nodes, 78 GB of 160"],
    ),
    (
        "q30-200-gb-free",
        -1,
        "",
        &["200 GB is free on 20 nodes in all", "Free, node by node", "largest that fits now", "10 GB"],
    ),
    (
        "q31-two-executors-one-node",
        -1,
        "",
        &[
            "asked 20275 MB, rounded up to 20480 MB in steps of 1 GB",
            "The cluster has 19 GB free of 40 GB; the request needs 20 GB",
        ],
    ),
    (
        "q32-vcores-do-not-count",
        -1,
        "",
        &["n1 runs 16 vcores and has 8: the calculator counts memory only", "Compare with DominantResourceCalculator"],
    ),
    ("q32b-dominant-resource", -1, "", &["needs 5 vcores", "5 > 2 vcores"]),
    (
        "q33-label-without-capacity",
        -1,
        "",
        &["root.batch has no share of label gpu", "1 node", "may use it", "may use 100 % of it", "may use 0 % of it"],
    ),
    (
        "q34-illegal-capacity",
        -1,
        "refresh:60000",
        &[
            "The new settings were refused at 1:00",
            "Illegal capacity sum of 0.0 for children of queue root for label=default",
            "Missing: root.default.accessible-node-labels.default.capacity = 100",
        ],
    ),
    ("q34-illegal-capacity", 130_000, "", &["-1 is no percentage. The same property is the mend"]),
    (
        "q35-label-capacity-without-access",
        -1,
        "app:a-job",
        &[
            "root.a uses all of its maximum of 4 GB of label x",
            "Refused: without b's 50 the children of root have 50 for label x",
        ],
    ),
    ("q35-label-capacity-without-access", -1, "app:b-job", &["queue=b doesn't have permission to access all labels"]),
    (
        "q36-borrowing-a-label",
        -1,
        "",
        &[
            "Label x lends its idle room and has nothing free",
            "Order on x: gold, which asks for it, 4 GB; a-plain, whose queue may use it, 9 GB; b-plain gets the 3 GB",
            "with preemption the first to be thrown out",
        ],
    ),
    (
        "q36-borrowing-a-label",
        -1,
        "container:b-plain/8",
        &["room of label x; where preemption is on, it is preempted first"],
    ),
    (
        "q36-borrowing-a-label",
        13_000,
        "",
        &["its queue may use x", "children of root for x2", "may use the label", "root.b no , decides"],
    ),
    (
        "q37-host-and-label",
        -1,
        "app:hbase",
        &["specified node label expression in a resource request has resource name = x1"],
    ),
    (
        "q37b-slider-host-and-label",
        -1,
        "app:hbase",
        &[
            "hbase runs 1 container and waits for 3 of 6 GB",
            "3 have label x and plain is not where it asked to be",
            "regionserver: 1 instance outstanding",
            "yarn.component.placement.policy = 2 for regionserver of hbase",
        ],
    ),
    ("q38a-handler-scheduler", -1, "", &["n1 has zk-1, n2 has zk-2", "Compare with handler placement-processor"]),
    ("q38b-handler-processor", -1, "", &["found no node"]),
    ("q38c-handler-disabled", -1, "", &["cannot handle placement constraints"]),
    ("q39-anti-affinity", -1, "", &["Needs a node without zk. n1 has zk-1, n2 has zk-2."]),
    ("q40-chicken-and-egg", -1, "", &["No hbase can ever start", "0 < 1", "self: none · not-self: none"]),
    ("q41-cardinality-counts-before", -1, "", &["Needs a node with at most 2 zk. n1 has 3 zk.", "3 > 2"]),
    (
        "q42-another-applications-tag",
        -1,
        "",
        &["another application's has to be written with a namespace", "self: none · not-self: hbase-1 on n1"],
    ),
    ("q43-near-far-spread", -1, "", &["All 18 requests placed"]),
    ("q43-near-far-spread", -1, "container:near/1", &["≥ 1 all/hbase", "1 ≥ 1", "0 < 1"]),
    (
        "q44-host-then-rack-then-anywhere",
        -1,
        "",
        &["Needs a node where it asked to be", "rows asked for", "relaxLocality false"],
    ),
    ("q44-host-then-rack-then-anywhere", -1, "container:wish/0", &["waited", "0.25 s", "it may go anywhere"]),
    (
        "q45-am-on-a-rack",
        -1,
        "",
        &[
            "n3 is in a rack it asked for, which is taken after more than 3 missed chances",
            "rows asked for",
            "/r2 × 1",
            "relaxLocality false",
        ],
    ),
    ("q46-many-constraints", -1, "", &["1200 looks at 10 applications", "1200 found a constraint that does not hold"]),
    ("q46-many-constraints", -1, "request:eager01/0_7", &["constraint evaluations", "in the last 60 heartbeats"]),
    (
        "q47-1-cluster-too-small",
        -1,
        "app:hbase",
        &["cause 1 of Slider's manual: more containers than the cluster has room for"],
    ),
    (
        "q47-2-no-space",
        -1,
        "app:hbase",
        &["cause 2 of Slider's manual: not enough space, given everything else that runs"],
    ),
    ("q47-3-others-first", -1, "app:hbase", &["cause 3 of Slider's manual: there is space, and others come first"]),
    (
        "q47-4-strict-host-gone",
        -1,
        "app:kafka",
        &["cause 4 of Slider's manual: strict placement, and the host is gone"],
    ),
    ("q47-5-no-host-left", -1, "app:hbase", &["1 instance of master not asked for: no host can take one"]),
    (
        "q47-6-too-large",
        -1,
        "app:solr",
        &["cause 6 of Slider's manual: too much memory or too many cores for any node"],
    ),
    ("q47-7-label", -1, "app:train", &["cause 7 of Slider's manual: only the nodes with its label count"]),
    ("q48-eight-gpu-nodes", -1, "app:train", &["train runs 8 containers; nothing of it waits."]),
    (
        "q49-strict-host-died",
        -1,
        "app:strict",
        &[
            "cause 4 of Slider's manual: strict placement, and the host is gone",
            "yarn.component.placement.policy = 0 for broker of strict",
            "9 min 58 s sooner",
        ],
    ),
    ("q49-strict-host-died", -1, "app:normal", &["normal runs 1 container; nothing of it waits."]),
    (
        "q50-one-by-one",
        4_000,
        "app:apart",
        &["9 instances of worker not asked for yet: instances that must not share a host are asked for one by one"],
    ),
    ("q51-label-typo", -1, "app:presto", &["cause 7 of Slider's manual: only the nodes with its label count"]),
    (
        "slider-1-restart-by-policy",
        -1,
        "app:strict",
        &["cause 2 of Slider's manual", "gate and n2 are not where it asked to be"],
    ),
    ("q52-preferred-host-full", 15_000, "app:join", &["n1 has 1 GB free", "has asked for container 0 on n1"]),
    (
        "q52-preferred-host-full",
        60_000,
        "container:join/2",
        &[
            "That request expired at 0:21.2",
            "n1 had 1 GB of 3 GB free then. etl-1 (3 GB) had the room.",
            "It moved to n3",
        ],
    ),
    ("q53-priorities-of-requests", -1, "app:one", &["one runs 0 containers and waits for 2 of 1 GB"]),
    ("q53-priorities-of-requests", -1, "app:two", &["two runs 1 container and waits for 1 of 1 GB"]),
    (
        "q54-reserve-stop-move",
        180_000,
        "container:join/3",
        &["A placement message wanted it on n2 at 2:3", "It moved to n2"],
    ),
    ("q55-bad-host", 150_000, "app:patient", &["The last retry of container 0 on n1 is asked for after 7:0"]),
    (
        "q56-standby-on-another-rack",
        300_000,
        "app:apart",
        &["given back: a copy of the same state is on that host or rack, which YARN is not told."],
    ),
    ("q57-everything-on-the-default-rack", 9_000, "app:wrong", &["n1 is asked for without its rack /r1"]),
    ("samza-1-stream-table-join", -1, "app:roaming", &["restores its state on", "are still to be read"]),
    ("samza-2-affinity-against-slider", -1, "", &["Compare with strict placement and 1 more"]),
    (
        "slider-2-restart-in-other-worlds",
        -1,
        "",
        &["Compare with strict and 2 more", "yarn.placement.escalate.seconds = 29 for worker of web"],
    ),
    (
        "service-1-dependencies-and-ends",
        20_000,
        "app:shop",
        &["front starts when those it depends on are ready: database has 0 of 1 ready."],
    ),
    ("q47a-manual-three-tags", -1, "", &["All 15 requests placed"]),
    ("q47b-manual-and", -1, "", &["No zk can ever start"]),
    ("q47c-manual-application-id", -1, "", &["All 10 requests placed"]),
];

/// Opens whatever is folded, which is one key away.
const SHOWN: &str = "(document.querySelectorAll('#why .fold').forEach((fold) => { fold.open = true; }), ['.head', '#why']).map((css) => document.querySelector(css)?.innerText ?? '').join(' ').replace(/\\s+/g, ' ')";

#[tokio::test(flavor = "multi_thread")]
async fn every_question_is_answered_on_screen() {
    with_page("questions", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let mut missing = Vec::new();
        for (name, at, chosen, wanted) in QUESTIONS {
            load(page, &scenario(name)).await?;
            if *at >= 0 {
                call(page, &format!("heddle.seek({at})"), vec![]).await?;
            }
            if !chosen.is_empty() {
                choose(page, chosen).await?;
                state_is(page, chosen, |s| s["selection"] == json!(chosen)).await?;
            }
            let said = format!("const shown = {SHOWN}; return arguments[0].filter((w) => !shown.includes(w))");
            let mut left: Vec<String> = Vec::new();
            // The advice comes a moment later.
            for _ in 0..120 {
                left = page.execute(&said, vec![json!(wanted)]).await?.convert()?;
                if left.is_empty() {
                    break;
                }
                tokio::time::sleep(EVERY).await;
            }
            if !left.is_empty() {
                let shown: String = page.execute(format!("return {SHOWN}"), vec![]).await?.convert()?;
                missing.push(format!("{name} {chosen}: {left:?}\n  is not in: {shown}"));
            }
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
        Ok(())
    })
    .await;
}

/// A piece of advice is viewed before and after, and only then adopted.
#[tokio::test(flavor = "multi_thread")]
async fn an_advice_is_tried_before_it_is_taken_over() {
    with_page("advice", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &scenario("q01-stuck-in-accepted")).await?;
        press(page, "Try: maximum-am-resource-percent = 0.31").await?;
        until(page, "before and after", "return document.querySelectorAll('.world').length === 2").await?;
        let said = text(page, ".compare").await?;
        for wanted in ["Placed at 0:02, 39 s sooner. Nobody is worse off.", "as it is", "Take it over"] {
            assert!(said.contains(wanted), "{wanted}: {said}");
        }
        state_is(page, "nothing is edited", |s| s["text"].as_str().is_some_and(|t| !t.contains("0.31"))).await?;
        click(page, "#take-over").await?;
        state_is(page, "it is taken over", |s| s["text"].as_str().is_some_and(|t| t.contains("0.31"))).await?;
        state_is(page, "both run", |s| s["snapshot"]["waiting"].as_array().is_some_and(Vec::is_empty)).await?;
        until(page, "nothing is compared", "return !document.querySelector('.compare')").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_worlds_stand_side_by_side() {
    with_page("worlds", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &scenario("q26b-sweep")).await?;
        click(page, "#compare").await?;
        press(page, "table").await?;
        until(page, "the sweep", "return document.querySelectorAll('.cmp thead th').length === 8").await?;
        let table = text(page, ".cmp").await?;
        for wanted in [
            "max-parallel-apps = 10",
            "all 10, the last at 5:03",
            "80, 15.8 a minute",
            "80, 24.4 a minute",
            "AMs 20 of it",
        ] {
            assert!(table.contains(wanted), "{wanted}: {table}");
        }
        // Adds a world of one's own, removes it, and opens one.
        paste(page, "#w-property", "root.default.max-parallel-apps").await?;
        paste(page, "#w-values", "6").await?;
        press(page, "Compare with these").await?;
        until(page, "another world", "return document.querySelectorAll('.cmp thead th').length === 10").await?;
        let heads = text(page, ".cmp thead").await?;
        assert!(heads.contains("as it was opened") && heads.contains("max-parallel-apps = 6"), "{heads}");
        press(page, "Remove the world max-parallel-apps = 6").await?;
        until(page, "it is gone", "return document.querySelectorAll('.cmp thead th').length === 8").await?;
        press(page, "Open the world max-parallel-apps = 3").await?;
        state_is(page, "three at a time", |s| s["text"].as_str().is_some_and(|t| t.contains("max-parallel-apps = 3")))
            .await?;
        state_is(page, "three run", |s| s["snapshot"]["queues"][1]["active"] == 3).await?;
        until(page, "nothing is compared", "return !document.querySelector('.compare')").await?;
        // The first difference is a link.
        load(page, &scenario("q38a-handler-scheduler")).await?;
        press(page, "Compare").await?;
        until(page, "three handlers", "return document.querySelectorAll('.cmp thead th').length === 4").await?;
        let table = text(page, ".cmp").await?;
        assert!(
            table.contains("1 waiting")
                && table.contains("rejected")
                && table.contains("their handler is switched off"),
            "{table}"
        );
        click(page, ".cmp tbody tr:first-child td:nth-child(3) button").await?;
        state_is(page, "the first difference", |s| s["time_ms"] == 5000).await?;
        press(page, "picture").await?;
        until(page, "both worlds", "return document.querySelectorAll('.world').length === 2").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_refresh_stands_beside_its_entry_and_new_is_empty() {
    with_page("refused", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &scenario("q34-illegal-capacity")).await?;
        pick(page, "what", "Queues").await?;
        let entries = "[...document.querySelectorAll('#what .apply .msg')].map((e) => e.innerText)";
        let first = format!("return {entries}.some((t) => t.includes('Refreshed at 1 min') && t.includes('refuses it') && t.includes('Illegal capacity sum of 0.0') && t.includes('Set root.default.accessible-node-labels.default.capacity to 100.'))");
        until(page, "the refusal at 1:00", &first).await?;
        call(page, "heddle.seek(130000)", vec![]).await?;
        until(page, "the refusal at 2:00", &format!("return {entries}.some((t) => t.includes('Illegal capacity of -1.0 for node-label=default'))")).await?;
        // A refresh of one's own at this moment.
        press(page, "as a refresh now").await?;
        choose(page, "queue:root.default").await?;
        page.query(By::Css("#q-capacity")).wait(PATIENCE, EVERY).first().await?;
        let script = "const f = document.querySelector('#q-capacity'); f.value = '70'; f.dispatchEvent(new Event('change', { bubbles: true }))";
        page.execute(script, vec![]).await?;
        until(page, "the refusal now", &format!("return {entries}.some((t) => t.includes('2 min 10 s') && t.includes('refuses it') && t.includes('-1.0'))")).await?;
        state_is(page, "what ran before runs", |s| s["snapshot"]["queues"][1]["partitions"][0]["absolute"][0] == 1.0).await?;
        // New: an empty scenario, to build on.
        press(page, "Examples").await?;
        press(page, "New, empty").await?;
        state_is(page, "an empty cluster", |s| s["snapshot"]["headline"] == "A cluster needs nodes.").await?;
        pick(page, "what", "Cluster").await?;
        paste(page, "#add-nodes", "3 × 8 GB/8").await?;
        press(page, "Add nodes").await?;
        state_is(page, "three nodes", |s| s["snapshot"]["headline"] == "3 nodes, nobody asks.").await?;
        pick(page, "what", "Apps").await?;
        press(page, "+ Batch").await?;
        call(page, "heddle.seek(20000)", vec![]).await?;
        state_is(page, "it runs", |s| s["snapshot"]["apps"][0]["placed"].as_i64() > Some(0)).await?;
        press(page, "Undo: add job1").await?;
        state_is(page, "and is taken back", |s| s["snapshot"]["apps"].as_array().is_some_and(Vec::is_empty)).await?;
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_misspelt_word_is_mended_at_a_click_and_a_clause_lights_its_sentence() {
    with_page("spec", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &scenario("q47b-manual-and")).await?;
        choose(page, "request:meant/0_1").await?;
        choose(page, "app:meant").await?;
        let area = "#what textarea[aria-label='PlacementSpec of meant']";
        page.query(By::Css(area)).wait(PATIENCE, EVERY).first().await?;
        let lit = |css: &str, n: usize| {
            format!(
                "const plain = getComputedStyle(document.querySelector('.reads')).backgroundColor; \
                 return [...document.querySelectorAll({css:?})].some((e) => e.dataset.clause === '{n}' && getComputedStyle(e).backgroundColor !== plain)"
            )
        };
        let dark = |css: &str, n: usize| lit(css, n).replace("return [", "return ![");
        // The pointer over the second clause of the text highlights its English sentence, and only that.
        let place = "const e = document.querySelector(\".code .cl[data-clause='2']\"); e.scrollIntoView({ block: 'center' }); const r = e.getClientRects()[0]; return [r.left + 6, r.top + 5]";
        let at: Vec<f64> = page.execute(place, vec![]).await?.convert()?;
        page.action_chain().move_to(at[0] as i64, at[1] as i64).perform().await?;
        until(page, "its sentence is lit", &lit(".reads li", 2)).await?;
        until(page, "the other is not", &dark(".reads li", 1)).await?;
        // Over the sentence: the clause in the text.
        let place = "const e = document.querySelector(\".reads li[data-clause='1']\"); e.scrollIntoView({ block: 'center' }); const r = e.getBoundingClientRect(); return [r.left + 30, r.top + 5]";
        let at: Vec<f64> = page.execute(place, vec![]).await?.convert()?;
        page.action_chain().move_to(at[0] as i64, at[1] as i64).perform().await?;
        until(page, "its clause is lit", &lit(".code .cl", 1)).await?;
        until(page, "the other clause is not", &dark(".code .cl", 2)).await?;
        // The caret in the second clause.
        let caret = format!("const a = document.querySelector({area:?}); a.focus(); const at = a.value.indexOf('NOTIN') + 2; a.setSelectionRange(at, at)");
        page.execute(caret, vec![]).await?;
        page.active_element().await?.send_keys(Key::Right.value().to_string()).await?;
        until(page, "the sentence of the caret's clause", &lit(".reads li", 2)).await?;
        // A typing error.
        paste(page, area, "zk(5),AND(IN,RACK,all/hbase:NOTIM,NODE,zk)").await?;
        until(page, "the fix", "return [...document.querySelectorAll('#what .fixes button')].some((b) => b.innerText === 'Replace with NOTIN')").await?;
        assert!(state(page).await?["snapshot"]["tally"]["running"].as_i64() > Some(0), "the last good one runs");
        press(page, "Replace with NOTIN").await?;
        state_is(page, "it is mended", |s| s["text"].as_str().is_some_and(|t| t.contains("all/hbase:NOTIN,NODE,zk"))).await?;
        until(page, "no error is left", "return !document.querySelector('#what .code.err')").await?;
        // A warning of the spec is shown once.
        load(page, &scenario("q40-chicken-and-egg")).await?;
        until(page, "the warnings", "return document.querySelector('#what .problems')").await?;
        let twice = "const all = [...document.querySelectorAll('#what .msg b')].map((e) => e.innerText.replace(/^Line.*?: /, '')); return all.length - new Set(all).size";
        let twice: i64 = page.execute(twice, vec![]).await?.convert()?;
        assert_eq!(twice, 0, "every warning stands once");
        Ok(())
    })
    .await;
}

/// Changes the worker's answers: the field of the broken invariant becomes a text instead of `None`. It follows the
/// fingerprint, 16 digits, and the number of things checked.
const BREAK: &str = r#"
const setter = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage").set;
Object.defineProperty(Worker.prototype, "onmessage", { set(handler) {
  setter.call(this, handler && ((e) => {
    const data = e.data, words = new TextEncoder().encode("n1 holds more than it has");
    if (window.breakIt && data instanceof Uint8Array) {
      const hex = (b) => (b >= 48 && b <= 57) || (b >= 97 && b <= 102);
      for (let i = 0; i + 18 < data.length; i++) {
        if (data[i] === 16 && data.subarray(i + 1, i + 17).every(hex) && data[i + 17] < 32 && data[i + 18] === 0) {
          const out = new Uint8Array(data.length + 1 + words.length);
          out.set(data.subarray(0, i + 18));
          out.set([1, words.length], i + 18);
          out.set(words, i + 20);
          out.set(data.subarray(i + 19), i + 20 + words.length);
          return handler.call(this, new MessageEvent("message", { data: out }));
        }
      }
    }
    return handler.call(this, e);
  }));
} });
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_invariant_stops_and_gives_a_report() {
    let twist = Twist { first: BREAK, ..Twist::default() };
    let Some(open) = start(Browser::Chromium, twist, 1280, 900).await else { return };
    let page = &open.page;
    let result = async {
        until(page, "the page is ready", READY).await?;
        page.execute("window.breakIt = true", vec![]).await?;
        call(page, "heddle.seek(12000)", vec![]).await?;
        let headline = "return document.querySelector('#headline').innerText === 'Stopped: n1 holds more than it has. This is our mistake.'";
        until(page, "the headline says so", headline).await?;
        let catch = "window.saved = []; const make = URL.createObjectURL; \
            URL.createObjectURL = (blob) => { blob.text().then((t) => saved.push(t)); return make.call(URL, blob); };";
        page.execute(catch, vec![]).await?;
        press(page, "save the report").await?;
        until(page, "the report", "return window.saved.length === 1").await?;
        let saved: String = page.execute("return window.saved[0]", vec![]).await?.convert()?;
        assert!(saved.starts_with("# n1 holds more than it has, at 12000 ms, core "), "{saved}");
        let running = state(page).await?["text"].as_str().unwrap_or_default().to_owned();
        assert!(saved.ends_with(&running) && !running.is_empty(), "the report is a scenario that opens: {saved}");
        Ok(())
    }
    .await;
    let seen = complaints(page).await;
    finish("broken", open, result, seen).await;
}
