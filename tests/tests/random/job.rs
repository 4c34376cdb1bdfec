//! Random Samza jobs.

use super::{Chance, Script};

impl Script {
    /// Adds a Samza job and happenings to it in every third scenario, from a number stream of its own.
    pub(super) fn job(&mut self, seed: u64, nodes: u64) {
        let mut by = Chance::of(seed.wrapping_add(2_000_003));
        if !by.percent(35) {
            return;
        }
        let leaf = self.leaves[by.below(self.leaves.len() as u64) as usize].clone();
        let (at, containers) = (by.below(5), 1 + by.below(3));
        let partitions = containers + by.below(3);
        let requests = by.one(&["strict", "strict", "strict", "relaxed"]);
        self.line(format_args!(
            "[[apps]]\nname = \"job\"\nat = \"{at} s\"\nuser = \"u0\"\nqueue = \"{leaf}\"\nkind = \"samza\"\nrequests = \"{requests}\"\nstreams = {{ \"k.in\" = {partitions} }}"
        ));
        let (size, rate) = (by.one(&["0 MB", "100 MB", "400 MB"]), by.one(&["0 MB", "3 MB"]));
        self.line(format_args!("stores = [{{ name = \"s\", size = \"{size}\", rate = \"{rate}\" }}]"));
        if by.percent(50) {
            let hosts: Vec<String> = (0..containers).map(|i| format!("\"{i}\" = \"n{}\"", by.below(nodes))).collect();
            self.line(format_args!("before = {{ hosts = {{ {} }} }}", hosts.join(", ")));
        }
        if by.percent(25) {
            let code = by.below(2);
            self.line(format_args!("duration = \"15 s\"\nexit_code = {code}"));
        }
        if by.percent(20) {
            let node = by.below(nodes);
            self.line(format_args!("fails_on = [{{ node = \"n{node}\", after = \"2 s\" }}]"));
        }
        let memory = 256 * (1 + by.below(6));
        let (retries, standby) = (by.one(&["8", "8", "2", "0", "-1"]), by.one(&["1", "1", "1", "2"]));
        let (timeout, sleep) = (by.one(&["5000", "2000"]), by.one(&["3600", "1000"]));
        let (affinity, ha, commit) =
            (by.one(&["true", "true", "false"]), by.one(&["true", "false"]), by.one(&["5000", "60000"]));
        self.line(format_args!(
            "\"job.properties\" = \"\"\"\njob.name=job\njob.host-affinity.enabled={affinity}\njob.container.count={containers}\ncluster-manager.container.memory.mb={memory}\ncluster-manager.container.retry.count={retries}\ncluster-manager.container.request.timeout.ms={timeout}\ncluster-manager.allocator.sleep.ms={sleep}\ncluster-manager.container.preferred-host.last.retry.delay.ms=4000\njob.standbytasks.replication.factor={standby}\ncluster-manager.fault-domain-aware.standby.enabled={affinity}\nyarn.am.high-availability.enabled={ha}\ntask.commit.ms={commit}\ntask.inputs=k.in\ntask.checkpoint.factory=org.apache.samza.checkpoint.kafka.KafkaCheckpointManagerFactory\nstores.s.factory=org.apache.samza.storage.kv.RocksDbKeyValueStorageEngineFactory\nstores.s.changelog=k.s\n\"\"\""
        ));
        let mut happen = |script: &mut Script, percent: u64, at: u64, what: String| {
            if by.percent(percent) {
                script.line(format_args!("[[happenings]]\nat = \"{at} s\"\n{what}"));
            }
            by.below(nodes)
        };
        let node =
            happen(self, 40, 20, "do = \"finish_processor\"\napp = \"job\"\nprocessor = \"0\"\nexit_code = 1".into());
        let place = format!("do = \"place_processor\"\napp = \"job\"\nprocessor = \"0\"\nto = \"n{node}\"");
        let node = happen(self, 40, 25, place);
        let more = containers.max(2) - 1;
        let restart = format!(
            "do = \"restart_app\"\napp = \"job\"\nafter = \"1 s\"\nset = {{ \"job.container.count\" = {more} }}"
        );
        happen(self, 30, 32, restart);
        let host = format!(
            "do = \"write_stream\"\napp = \"job\"\nrows = [{{ kind = \"set-container-host-assignment\", key = \"0\", value = \"n{node}\" }}]"
        );
        happen(self, 25, 30, host);
        happen(self, 30, 40, "do = \"finish_container\"\napp = \"job\"\ncontainer = 0\nexit_code = 1".into());
        if nodes > 1 && node > 0 {
            happen(self, 100, 28, format!("do = \"crash_node\"\nnode = \"n{node}\""));
            happen(self, 100, 45, format!("do = \"return_node\"\nnode = \"n{node}\""));
        }
        if by.percent(30) {
            let every = by.one(&["5 s", "20 s"]);
            self.line(format_args!("[samza]\nclean_up = \"{every}\"\noffset_ttl = \"10 s\""));
        }
    }
}
