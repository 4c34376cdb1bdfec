package heddle.oracle;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.MultiNodePolicySpec;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.MultiNodeSorter;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.MultiNodeSortingManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy;

/**
 * The sorting of nodes for multi-node placement by the trace's clock, in a trace that names every call. In a ResourceManager a thread sorts
 * at a fixed rate of the wall clock; here the real policy sorts at the first look once its interval is over.
 */
final class Sorting extends ResourceUsageMultiNodeLookupPolicy<SchedulerNode> {
  private final Cluster cluster;
  private final long interval;
  private final Map<String, Long> sorted = new HashMap<>();

  private Sorting(Cluster cluster, long interval) {
    this.cluster = cluster;
    this.interval = interval;
  }

  /** In the place of each thread that sorts at an interval. */
  static void install(Cluster cluster) throws Exception {
    MultiNodeSortingManager<SchedulerNode> manager = cluster.rm.getRMContext().getMultiNodeSortingManager();
    for (Object sorter : ((Map<?, ?>) Reflect.get(MultiNodeSortingManager.class, "runningMultiNodeSorters", manager)).values()) {
      Future<?> thread = (Future<?>) Reflect.get(MultiNodeSorter.class, "handler", sorter);
      Object policy = Reflect.get(MultiNodeSorter.class, "multiNodePolicy", sorter);
      if (thread == null || policy.getClass() != ResourceUsageMultiNodeLookupPolicy.class) {
        continue;
      }
      thread.cancel(false);
      ExecutorService runs = (ExecutorService) Reflect.get(MultiNodeSorter.class, "ses", sorter);
      runs.shutdown();
      runs.awaitTermination(10, TimeUnit.SECONDS);
      MultiNodePolicySpec spec = (MultiNodePolicySpec) Reflect.get(MultiNodeSorter.class, "policySpec", sorter);
      Reflect.set(MultiNodeSorter.class, "multiNodePolicy", sorter, new Sorting(cluster, spec.getSortingInterval()));
    }
  }

  @Override
  public Iterator<SchedulerNode> getPreferredNodeIterator(Collection<SchedulerNode> nodes, String partition) {
    long now = cluster.clock.getTime();
    Long last = sorted.get(partition);
    if (last == null || now >= last + interval) {
      sorted.put(partition, now);
      addAndRefreshNodesSet(listed(partition), partition);
    }
    return super.getPreferredNodeIterator(nodes, partition);
  }

  private Collection<SchedulerNode> listed(String partition) {
    Map<Object, SchedulerNode> all = new HashMap<>();
    for (Object n : cluster.capacity().getNodeTracker().getNodesPerPartition(partition)) {
      all.put(((SchedulerNode) n).getNodeID(), (SchedulerNode) n);
    }
    return all.values();
  }
}
