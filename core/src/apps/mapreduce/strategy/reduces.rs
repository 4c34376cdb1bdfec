//! When reduces are requested, withdrawn and preempted (RMContainerAllocator.scheduleReduces, preemptReducesIfNeeded,
//! preemptReducer; ResourceCalculatorUtils; lifecycles-and-timing.md 6.1). These are pure calculations: the allocator acts on
//! them.

use crate::check::Check;
use crate::model::{Millis, Resource};

/// Whether the scheduler counts vcores too (SchedulerResourceTypes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Counts {
    #[default]
    Memory,
    MemoryAndVcores,
}

impl Counts {
    /// Returns how many containers of size `need` fit in `available`; the number is negative where `available` is
    /// (computeAvailableContainers).
    pub fn containers(self, available: Resource, need: Resource) -> i64 {
        let ratio = |there: i64, need: i64| if need == 0 { i64::from(i32::MAX) } else { there / need };
        let by_memory = ratio(available.memory_mb(), need.memory_mb());
        match self {
            Counts::Memory => by_memory,
            Counts::MemoryAndVcores => by_memory.min(ratio(available.vcores(), need.vcores())),
        }
    }

    /// Returns how many containers of size `each` it takes to cover `amount` (divideAndCeilContainers).
    fn covering(self, amount: Resource, each: Resource) -> i64 {
        let ceil = |amount: i64, each: i64| match each {
            0 => 0,
            each => (amount + each - 1) / each,
        };
        let by_memory = ceil(amount.memory_mb(), each.memory_mb());
        match self {
            Counts::Memory => by_memory,
            Counts::MemoryAndVcores => by_memory.max(ceil(amount.vcores(), each.vcores())),
        }
    }
}

/// The settings of a job for its reduces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReduceSettings {
    /// `mapreduce.job.reduce.slowstart.completedmaps`: the share of maps that must be done before reduces are requested.
    pub slow_start: f32,
    /// `yarn.app.mapreduce.am.job.reduce.rampup.limit`: the largest share of the job's resources that reduces get before the
    /// maps are requested in full.
    pub ramp_up_limit: f32,
    /// `yarn.app.mapreduce.am.job.reduce.preemption.limit`.
    pub preemption_limit: f32,
    /// `mapreduce.job.reducer.preempt.delay.sec`: how long maps wait without headroom before reduces are preempted, ms.
    pub no_headroom_delay: Millis,
    /// `mapreduce.job.reducer.unconditional-preempt.delay.sec`: how long maps wait before reduces are preempted whatever the
    /// headroom, ms; below 0: never.
    pub unconditional_delay: Millis,
}

impl Default for ReduceSettings {
    fn default() -> Self {
        ReduceSettings {
            slow_start: 0.05,
            ramp_up_limit: 0.5,
            preemption_limit: 0.5,
            no_headroom_delay: 0,
            unconditional_delay: 300_000,
        }
    }
}

/// The progress of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Figures {
    pub total_maps: i64,
    pub completed_maps: i64,
    /// Requested maps.
    pub scheduled_maps: i64,
    pub scheduled_reduces: i64,
    /// Maps in containers.
    pub assigned_maps: i64,
    pub assigned_reduces: i64,
    /// Reduces that are not requested yet.
    pub pending_reduces: i64,
    pub map_size: Resource,
    pub reduce_size: Resource,
}

/// The change of the requests for reduces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ramp {
    /// No change; the check keeps pending reduces from being requested.
    Stay(Option<Check>),
    /// The number of further reduces to request.
    Up(i64),
    /// The number of reduces to withdraw.
    Down(i64),
}

/// Makes one call of scheduleReduces. `limit`: the job's headroom and the usage of its containers; `started`: whether slow
/// start is over, which this sets.
pub fn ramp(settings: &ReduceSettings, f: &Figures, limit: Resource, counts: Counts, started: &mut bool) -> Ramp {
    if f.pending_reduces <= 0 {
        return Ramp::Stay(None);
    }
    if !*started {
        let needed = f64::from(settings.slow_start * f.total_maps as f32).ceil() as i64;
        if f.completed_maps < needed {
            return Ramp::Stay(Some(Check::SlowStart));
        }
        *started = true;
    }
    if f.scheduled_maps == 0 {
        return Ramp::Up(f.pending_reduces);
    }
    let completed = if f.total_maps == 0 { 1.0 } else { f.completed_maps as f32 / f.total_maps as f32 };
    let ideal_reduces = share(limit, completed.min(settings.ramp_up_limit));
    let ideal_maps = limit - ideal_reduces;
    let maps = f.scheduled_maps + f.assigned_maps;
    let for_reduces = if counts.containers(ideal_maps, f.map_size) >= maps {
        // The part of the maps' share that they leave.
        ideal_reduces + (ideal_maps - f.map_size.times(maps))
    } else {
        ideal_reduces
    };
    let reduces = f.reduce_size.times(f.scheduled_reduces + f.assigned_reduces);
    match counts.containers(for_reduces - reduces, f.reduce_size) {
        0 => Ramp::Stay(Some(Check::ReduceRoom)),
        more if more > 0 => Ramp::Up(more.min(f.pending_reduces)),
        fewer => Ramp::Down((-fewer).min(f.scheduled_reduces)),
    }
}

/// Returns how many reduces are preempted for pending maps; `None`: none now. `headroom` is the last one that YARN reported;
/// `asked_at`: when each scheduled map was requested.
pub fn preempt(
    settings: &ReduceSettings,
    f: &Figures,
    headroom: Resource,
    counts: Counts,
    asked_at: &[Millis],
    now: Millis,
) -> Option<i64> {
    if f.reduce_size.is_zero() || f.assigned_maps > 0 || f.scheduled_maps <= 0 {
        return None;
    }
    let waiting = |delay: Millis| match delay {
        ..=0 => asked_at.len() as i64,
        delay => asked_at.iter().filter(|at| now.saturating_sub(**at) > delay).count() as i64,
    };
    if settings.unconditional_delay >= 0 {
        let maps = waiting(settings.unconditional_delay);
        if maps > 0 {
            return Some(to_preempt(settings, f, headroom, counts, maps));
        }
    }
    let for_maps = headroom - f.reduce_size.times(f.scheduled_reduces);
    if counts.containers(for_maps, f.map_size) > 0 {
        return None;
    }
    let maps = waiting(settings.no_headroom_delay);
    (maps > 0).then(|| to_preempt(settings, f, headroom, counts, maps))
}

fn to_preempt(settings: &ReduceSettings, f: &Figures, headroom: Resource, counts: Counts, maps: i64) -> i64 {
    let one = counts.covering(f.map_size, f.reduce_size);
    // The requests for reduces are withdrawn before, which does not change the resources.
    let most = counts.covering(share(limit(f, headroom), settings.preemption_limit), f.reduce_size);
    let all = counts.covering(f.map_size.times(maps), f.reduce_size);
    one.max(most).min(all)
}

/// Returns the resources of a job: its headroom and the usage of its containers.
pub fn limit(f: &Figures, headroom: Resource) -> Resource {
    headroom + f.map_size.times(f.assigned_maps) + f.reduce_size.times(f.assigned_reduces)
}

/// Returns a share of an amount, cut to whole units (Resources.multiply).
fn share(amount: Resource, by: f32) -> Resource {
    let mut out = amount;
    for n in &mut out.0 {
        *n = (*n as f64 * f64::from(by)) as i64;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Figures {
        Figures {
            total_maps: 10,
            completed_maps: 3,
            scheduled_maps: 10,
            assigned_maps: 2,
            pending_reduces: 4,
            map_size: Resource::new(1024, 1),
            reduce_size: Resource::new(2048, 1),
            ..Figures::default()
        }
    }

    /// Slow start lasts until the float product, rounded up, is reached, and never returns.
    #[test]
    fn slow_start() {
        for (share, completed, started) in
            [(0.2, 1, false), (0.2, 2, true), (0.0, 0, true), (0.05, 0, false), (0.05, 1, true), (1.0, 9, false)]
        {
            let settings = ReduceSettings { slow_start: share, ..ReduceSettings::default() };
            let mut over = false;
            let f = Figures { completed_maps: completed, ..figures() };
            let came_to = ramp(&settings, &f, Resource::ZERO, Counts::Memory, &mut over);
            assert_eq!(over, started, "{share} of 10, {completed} done");
            let kept = if started { Check::ReduceRoom } else { Check::SlowStart };
            assert_eq!(came_to, Ramp::Stay(Some(kept)));
        }
        let mut over = true;
        let early = Figures { completed_maps: 0, ..figures() };
        let settings = ReduceSettings { slow_start: 1.0, ..ReduceSettings::default() };
        assert_eq!(ramp(&settings, &early, Resource::new(99_999, 99), Counts::Memory, &mut over), Ramp::Up(4));
        assert!(over);
    }

    #[test]
    fn reduces_ramp_up_into_what_maps_leave_and_down_again() {
        let settings = ReduceSettings::default();
        let mut on = true;
        let mut at = |f: Figures, limit, counts| ramp(&settings, &f, limit, counts, &mut on);
        let (memory, both) = (Counts::Memory, Counts::MemoryAndVcores);
        // The 12 maps need 12 GB of 20; 8 GB are left for four reduces.
        assert_eq!(at(figures(), Resource::new(20_480, 99), memory), Ramp::Up(4));
        assert_eq!(at(figures(), Resource::new(16_384, 99), memory), Ramp::Up(2));
        let three = Figures { scheduled_reduces: 3, ..figures() };
        assert_eq!(at(three, Resource::new(10_240, 99), memory), Ramp::Down(1), "3 GB are theirs: one reduce");
        assert_eq!(at(three, Resource::new(102_400, 5), both), Ramp::Down(2), "one vcore is theirs");
        assert_eq!(
            at(Figures { pending_reduces: 0, ..three }, Resource::ZERO, memory),
            Ramp::Stay(None),
            "not even down"
        );
        let last = Figures { scheduled_maps: 0, ..figures() };
        assert_eq!(at(last, Resource::ZERO, memory), Ramp::Up(4), "all maps have containers");
    }

    #[test]
    fn maps_that_wait_have_reduces_preempted() {
        let f = Figures { assigned_maps: 0, assigned_reduces: 3, scheduled_maps: 5, ..figures() };
        let settings = ReduceSettings { no_headroom_delay: 4_000, unconditional_delay: 8_000, ..Default::default() };
        let none = Resource::ZERO;
        let at = |now, headroom| preempt(&settings, &f, headroom, Counts::Memory, &[0; 5], now);
        assert_eq!(at(4_000, none), None, "not longer than the delay");
        assert_eq!(at(4_001, none), Some(2), "half of 6 GB is 3 GB: two reduces; the five maps would have three");
        assert_eq!(at(4_001, Resource::new(1024, 1)), None, "there is room for a map");
        assert_eq!(at(8_001, Resource::new(1024, 1)), Some(2), "whatever room there is");
        let busy = Figures { assigned_maps: 1, ..f };
        assert_eq!(preempt(&settings, &busy, none, Counts::Memory, &[0; 5], 99_999), None, "a map has a container");
        let never = ReduceSettings { unconditional_delay: -1, ..settings };
        assert_eq!(preempt(&never, &f, Resource::new(1024, 1), Counts::Memory, &[0; 5], 99_999), None);
    }

    #[test]
    fn sizes_of_zero_bound_nothing() {
        assert_eq!(Counts::MemoryAndVcores.containers(Resource::new(81_920, 40), Resource::new(1024, 0)), 80);
        assert_eq!(Counts::MemoryAndVcores.containers(Resource::new(81_920, 40), Resource::new(1024, 2)), 20);
        assert_eq!(Counts::Memory.containers(Resource::new(-1024, 0), Resource::new(2048, 1)), 0, "towards zero");
    }
}
