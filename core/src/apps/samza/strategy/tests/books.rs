//! Random events, after each of which the invariants hold.

use super::*;

/// Numbers that depend only on a seed (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end.max(1)
    }
}

/// After any event no container is in two places, each request is in one, and the counts of the buffers are those of the queue.
#[test]
fn the_books_agree_after_every_event() {
    for seed in 1..400u64 {
        let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let standby = if seed % 3 == 0 { "2" } else { "1" };
        let affinity = if seed % 7 == 0 { "false" } else { "true" };
        let retries = ["0", "2", "8", "-1"][chance.below(4) as usize];
        let settings = [
            ("job.standbytasks.replication.factor", standby),
            ("job.host-affinity.enabled", affinity),
            ("cluster-manager.container.retry.count", retries),
            ("cluster-manager.fault-domain-aware.standby.enabled", if seed % 5 == 0 { "true" } else { "false" }),
        ];
        let mode = if seed % 11 == 0 { RequestMode::Relaxed } else { RequestMode::Strict };
        let (mut job, _) = Job::with(mode, 3, &settings, &[("0", "n1"), ("1", "n2"), ("0-0", "n3")]);
        let mut next = 0;
        for step in 0..120 {
            let known = c(chance.below(next + 1));
            let host = ["n1", "n2", "n3", "n4", "n9"][chance.below(5) as usize].to_string();
            let event = match chance.below(9) {
                0 | 1 => Event::Tick,
                2 | 3 => {
                    next += 1;
                    Event::Granted(vec![(c(next - 1), host)])
                }
                4 | 5 => Event::Started(known),
                6 => Event::Completed(vec![(known, [0, 1, -100, -102, 143][chance.below(5) as usize])]),
                7 => [Event::LaunchFailed(known, host), Event::StopFailed(known)][chance.below(2) as usize].clone(),
                _ => {
                    let to = ["n2", ANY_HOST, "LAST_SEEN", "FORCE_RESTART_LAST_SEEN"][chance.below(4) as usize];
                    let p = ["0", "1", "0-0", "2", "7"][chance.below(5) as usize];
                    job.samza.stream_mut().place(message(step, p, to));
                    Event::ReadPlacements
                }
            };
            let now = job.now + chance.below(4000) as Millis;
            job.at(now, event);
            agree(&job.samza, seed, step);
        }
    }
}

fn agree(samza: &Samza, seed: u64, step: u64) {
    let at = format!("seed {seed}, step {step}");
    let buffered = samza.requests().buffers().values().flatten().map(|x| x.container);
    let mut all: Vec<ContainerId> = buffered.chain(samza.running().values().map(|x| x.container)).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "{at}: a container is in two places");
    let mut ids: Vec<RequestId> = samza.requests().queue().chain(samza.requests().delayed()).map(|r| r.id).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "{at}: a request stands twice");
    assert!(ids.iter().all(|id| *id < samza.next_request()), "{at}");
    if samza.settings().host_affinity {
        for (wish, n) in samza.requests().counts() {
            let asked = samza.requests().queue().filter(|r| r.wish == *wish).count() as i64;
            assert_eq!(asked, *n, "{at}: requests for {}", wish.name());
        }
    }
}
