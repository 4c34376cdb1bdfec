package heddle.oracle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The CapacityScheduler in its asynchronous mode: heartbeats report, and walks of the scheduling thread place. */
final class AsyncFamily extends CapacityFamily {
  private enum More {
    PREEMPT, SILENCE, SORTING
  }

  private final Set<More> more;
  /** How often a walk commits its proposals when it is over. */
  private double late;

  private AsyncFamily(String name, Set<More> more, Feature... features) {
    super(name, features);
    this.more = more;
  }

  @Override
  ObjectNode given(Rnd r) {
    late = r.pick(0.0, 0.0, 1.0, 1.0, 0.5);
    ObjectNode g = super.given(r);
    ObjectNode y = (ObjectNode) g.get("yarn_site");
    ObjectNode q = (ObjectNode) g.get("capacity_scheduler");
    q.put(P + "schedule-asynchronously.enable", "true");
    if (more.contains(More.SORTING)) {
      sorting(r, q);
    }
    if (more.contains(More.SILENCE) && r.chance(0.3)) {
      y.put("yarn.scheduler.skip.node.multiplier", r.pick("1", "3", "5"));
    }
    if (more.contains(More.PREEMPT)) {
      y.put("yarn.resourcemanager.scheduler.monitor.enable", "true");
      q.put(WildFamily.M + "max_wait_before_kill", r.pick("0", "1000", "3000"));
      q.put(WildFamily.M + "total_preemption_per_round", r.pick("0.5", "1.0", "1.0"));
      q.put(WildFamily.M + "natural_termination_factor", "1.0");
      q.put(WildFamily.M + "max_ignored_over_capacity", r.pick("0", "0.1"));
      if (r.chance(0.5)) q.put(P + "lazy-preemption-enabled", "true");
      if (r.chance(0.3)) q.put(WildFamily.M + "intra-queue-preemption.enabled", "true");
      if (r.chance(0.3)) q.put(WildFamily.M + "select_based_on_reserved_containers", "true");
    }
    return g;
  }

  /** Multi-node placement without a policy, with one for some queues, past reserved nodes. */
  private void sorting(Rnd r, ObjectNode q) {
    double d = r.nextDouble();
    if (d < 0.25) {
      q.remove(P + "multi-node-sorting.policy");
    } else if (d < 0.5) {
      q.remove(P + "multi-node-sorting.policy");
      for (String l : leaves(q)) {
        if (r.chance(0.5)) q.put(P + l + ".multi-node-sorting.policy", "usage");
      }
    }
    if (r.chance(0.3)) q.put(P + "skip-allocate-on-nodes-with-reserved-containers", "true");
  }

  @Override
  ObjectNode next(Cluster c, Rnd r, int i, int n) {
    if (astray(c) || c.refreshRefused) {
      return null;
    }
    ObjectNode o = super.next(c, r, i, n);
    return o.get("op").asText().equals("heartbeat") && !o.has("healthy") && r.chance(o.has("finish") ? 0.3 : 0.75) ? walk(r) : o;
  }

  private ObjectNode walk(Rnd r) {
    ObjectNode o = op("async_walk").put("start", r.nextInt(6));
    return r.chance(late) ? o.put("commit", "after") : o;
  }

  @Override
  ObjectNode special(Cluster c, Rnd r, ObjectNode q) {
    if (more.contains(More.PREEMPT) && r.chance(0.2)) {
      return r.chance(0.6) ? op("preempt") : op("clock").put("ms", r.pick(1000, 1000, 2000));
    }
    if (more.contains(More.SILENCE) && r.chance(0.12)) {
      return op("clock").put("ms", r.pick(500, 900, 1000, 1000, 2001, 3000));
    }
    return super.special(c, r, q);
  }

  private static AsyncFamily of(String name, EnumSet<More> more, Feature... features) {
    return new AsyncFamily(name, more, features);
  }

  static List<Family> families() {
    EnumSet<More> plain = EnumSet.noneOf(More.class);
    return new ArrayList<>(List.of(
        of("capacity-async-basic", plain, Feature.DEEP),
        of("capacity-async-locality", plain, Feature.LOCALITY, Feature.DRF),
        of("capacity-async-reserve", plain, Feature.RESERVE, Feature.LOCALITY),
        of("capacity-async-labels", plain, Feature.LABELS, Feature.DEEP),
        of("capacity-async-limits", plain, Feature.LIMITS, Feature.PRIORITY, Feature.FAIR_ORDER, Feature.DEEP),
        of("capacity-async-churn", EnumSet.of(More.SILENCE), Feature.CHURN, Feature.DRAIN, Feature.REFRESH, Feature.AM_FAILURE),
        of("capacity-async-preempt", EnumSet.of(More.PREEMPT), Feature.DEEP, Feature.RESERVE, Feature.PRIORITY),
        of("capacity-async-multi-node", EnumSet.of(More.SORTING, More.SILENCE), Feature.MULTI_NODE, Feature.RESERVE),
        of("capacity-async-multi-node-labels", EnumSet.of(More.SORTING), Feature.MULTI_NODE, Feature.LABELS, Feature.LOCALITY),
        of("capacity-async-everything", EnumSet.allOf(More.class), Feature.MULTI_NODE, Feature.LABELS, Feature.LOCALITY, Feature.RESERVE, Feature.FAIR_ORDER,
            Feature.PRIORITY, Feature.DEEP, Feature.CHURN, Feature.LIMITS, Feature.REFRESH, Feature.RESOURCES)));
  }
}
