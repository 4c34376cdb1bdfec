package heddle.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimerTask;
import java.util.TreeMap;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ApplicationTimeoutType;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.DecommissioningNodesWatcher;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceTrackerService;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AutoCreatedQueueDeletionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.QueueManagementDynamicEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerExpiredSchedulerEvent;
import org.apache.hadoop.yarn.util.MonotonicClock;

/**
 * Traces that name every call that reaches the ResourceManager (`driven` "calls"): nothing follows a step by itself but that an AM whose
 * container was allocated is launched. Time is told with each step, containers by application, attempt and number.
 */
final class Calls {
  private final Cluster cluster;
  private final Map<String, NodeId> ids = new HashMap<>();
  private final Map<Class<?>, SchedulingEditPolicy> policies = new HashMap<>();
  private final long young;
  /** What the administrator gives a node's containers in this step to end, by the trace; until when each node has, by its clock; what was written into it. */
  private final Map<String, Long> patience = new HashMap<>();
  private final Map<SchedulerNode, Long> overcommitted = new IdentityHashMap<>();
  private final Map<SchedulerNode, Long> written = new IdentityHashMap<>();
  private String reserved = "[]";

  /** After it has started: what goes by a clock goes by that of the trace. */
  Calls(Cluster cluster) throws Exception {
    this.cluster = cluster;
    young = cluster.conf.getLong("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", 0);
    Object watcher = Reflect.get(ResourceTrackerService.class, "decommissioningWatcher", cluster.rm.getResourceTrackerService());
    Reflect.set(DecommissioningNodesWatcher.class, "mclock", watcher, new MonotonicClock() {
      @Override
      public long getTime() {
        return cluster.clock.getTime();
      }
    });
    ((java.util.Timer) Reflect.get(DecommissioningNodesWatcher.class, "pollTimer", watcher)).cancel();
    if (cluster.kind.equals("capacity")) {
      Sorting.install(cluster);
    }
  }

  /** The time of a step; whether the largest node is taken into account by then. */
  void before(JsonNode s) throws Exception {
    long at = s.get("at").asLong();
    cluster.clock.setTime(1000 + at);
    ClusterNodeTracker<?> tracker = cluster.scheduler.getNodeTracker();
    Reflect.set(ClusterNodeTracker.class, "configuredMaxAllocationWaitTime", tracker, young > 0 && at <= young ? Long.MAX_VALUE / 2 : -1L);
    patience.clear();
    if (s.get("op").asText().equals("update_node")) {
      patience.put(s.get("node").asText(), s.path("overcommit_timeout_ms").asLong(-1));
    }
    for (Map.Entry<SchedulerNode, Long> e : overcommitted.entrySet()) {
      long when = cluster.clock.getTime() >= e.getValue() ? 0 : Time.now() + 10_000_000;
      OVERCOMMIT.setLong(e.getKey(), when);
      written.put(e.getKey(), when);
    }
  }

  private static final Field OVERCOMMIT;

  static {
    try {
      OVERCOMMIT = Reflect.field(SchedulerNode.class, "overcommitTimeout");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** After a step: which nodes were given until when in it to be small enough. */
  private void after() throws ReflectiveOperationException {
    for (Map.Entry<String, NodeId> e : ids.entrySet()) {
      SchedulerNode node = cluster.scheduler.getSchedulerNode(e.getValue());
      long now = node == null ? -1 : OVERCOMMIT.getLong(node);
      if (now >= 0 && now != written.getOrDefault(node, -1L)) {
        overcommitted.put(node, cluster.clock.getTime() + patience.getOrDefault(e.getKey(), 0L));
        written.put(node, now);
      }
    }
  }

  /** Carries out a step that only such traces have. */
  boolean step(JsonNode s, ObjectNode out) throws Exception {
    RMContext context = cluster.rm.getRMContext();
    switch (s.get("op").asText()) {
      case "remove_node" -> node(s, RMNodeEventType.EXPIRE);
      case "recommission_node" -> node(s, RMNodeEventType.RECOMMISSION);
      case "poll_decommissioning" -> {
        Class<?> task = Class.forName(DecommissioningNodesWatcher.class.getName() + "$PollTimerTask");
        Constructor<?> make = task.getDeclaredConstructors()[0];
        make.setAccessible(true);
        Object watcher = Reflect.get(ResourceTrackerService.class, "decommissioningWatcher", cluster.rm.getResourceTrackerService());
        ((TimerTask) make.newInstance(watcher, context)).run();
      }
      case "heartbeat" -> heartbeat(s);
      case "register" -> register(app(s), out);
      case "unregister" -> app(s).am.unregisterAppAttempt(false);
      case "expire_am" -> handle(new RMAppAttemptEvent(ApplicationAttemptId.newInstance(app(s).id, s.get("attempt").asInt()), RMAppAttemptEventType.EXPIRE));
      case "expire_container" -> handle(new ContainerExpiredSchedulerEvent(container(s.get("container"))));
      case "lifetime" -> handle(new RMAppEvent(app(s).id, RMAppEventType.KILL, "its lifetime is over"));
      case "kills" -> cluster.fairDriver.fireTimers();
      case "update" -> cluster.fairDriver.updateAlone(out);
      case "manage_queues" -> policy(QueueManagementDynamicEditPolicy.class).editSchedule();
      case "remove_idle_queues" -> policy(AutoCreatedQueueDeletionPolicy.class).editSchedule();
      case "preempt" -> cluster.preemption.round(out);
      default -> {
        return false;
      }
    }
    return true;
  }

  private Cluster.App app(JsonNode s) {
    return cluster.apps.get(s.get("app").asInt());
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private void handle(Event<?> e) {
    cluster.rm.getRMContext().getDispatcher().getEventHandler().handle((Event) e);
  }

  private void node(JsonNode s, RMNodeEventType what) {
    handle(new RMNodeEvent(ids.get(s.get("node").asText()), what));
  }

  void nodeAdded(String name, NodeId id) {
    ids.put(name, id);
  }

  private SchedulingEditPolicy policy(Class<? extends SchedulingEditPolicy> of) throws Exception {
    SchedulingEditPolicy p = policies.get(of);
    if (p == null) {
      p = of.getDeclaredConstructor().newInstance();
      p.init(cluster.conf, cluster.rm.getRMContext(), cluster.scheduler);
      Reflect.set(of, "clock", p, cluster.clock);
      policies.put(of, p);
    }
    return p;
  }

  /** A container, by application, attempt and number. */
  ContainerId container(JsonNode c) {
    return ContainerId.newContainerId(ApplicationAttemptId.newInstance(cluster.apps.get(c.get(0).asInt()).id, c.get(1).asInt()), c.get(2).asLong());
  }

  private void heartbeat(JsonNode s) throws Exception {
    List<ContainerStatus> statuses = new ArrayList<>();
    s.path("running").forEach(c -> statuses.add(ContainerStatus.newInstance(container(c), ContainerState.RUNNING, "", -1000)));
    s.path("finish").forEach(c -> statuses.add(ContainerStatus.newInstance(container(c), ContainerState.COMPLETE, "", c.get(3).asInt())));
    MockNM nm = cluster.nodes.get(s.get("node").asText());
    nm.nodeHeartbeat(statuses, s.path("healthy").asBoolean(true));
  }

  /** What a submission of such a trace may say beside. */
  void submission(JsonNode s, ApplicationSubmissionContext c) {
    c.setUnmanagedAM(s.path("unmanaged").asBoolean());
    c.setKeepContainersAcrossApplicationAttempts(s.path("keep_containers").asBoolean());
    if (s.has("failures_window_ms")) {
      c.setAttemptFailuresValidityInterval(s.get("failures_window_ms").asLong());
    }
    if (s.has("lifetime_s")) {
      c.setApplicationTimeouts(Map.of(ApplicationTimeoutType.LIFETIME, s.get("lifetime_s").asLong()));
    }
    JsonNode am = s.path("am");
    if (am.has("places")) {
      List<ResourceRequest> rows = new ArrayList<>();
      boolean any = false;
      for (JsonNode p : am.get("places")) {
        any |= p.get(0).asText().equals(ResourceRequest.ANY);
        rows.add(row(am, p.get(0).asText(), p.get(1).asBoolean()));
      }
      if (!any) {
        rows.add(0, row(am, ResourceRequest.ANY, true));
      }
      c.setAMContainerResourceRequests(rows);
    }
  }

  private static ResourceRequest row(JsonNode am, String place, boolean relax) {
    ResourceRequest r = ResourceRequest.newInstance(Priority.newInstance(0), place, Cluster.resource(am), 1, relax);
    if (am.has("label")) {
      r.setNodeLabelExpression(am.get("label").asText());
    }
    return r;
  }

  /** A submission that was taken in: what goes by a clock goes by that of the trace. */
  void submitted(RMApp app) {
    if (app instanceof RMAppImpl a) {
      a.setSystemClock(cluster.clock);
    }
  }

  private void register(Cluster.App app, ObjectNode out) throws Exception {
    RMAppAttempt at = cluster.rm.getRMContext().getRMApps().get(app.id).getCurrentAppAttempt();
    ApplicationAttemptId id = at.getAppAttemptId();
    if (at.getAMRMToken() == null) {
      cluster.token(at);
    }
    app.am = new MockAM(cluster.rm.getRMContext(), cluster.rm.getApplicationMasterService(), id);
    app.amAttempt = id;
    app.constraints.forEach((t, c) -> app.am.addPlacementConstraint(t, c));
    try {
      app.am.registerAppAttempt(false);
    } catch (Exception e) {
      out.put("refused", Cluster.message(e));
    }
  }

  /** Launches AMs whose containers were allocated, and reads the difference from the scheduler's own state. */
  void settle(ObjectNode out) throws Exception {
    for (Cluster.App app : cluster.apps) {
      RMAppAttempt at = app.over ? null : cluster.rm.getRMContext().getRMApps().get(app.id).getCurrentAppAttempt();
      if (at != null && at.getAppAttemptState() == RMAppAttemptState.ALLOCATED) {
        cluster.launch(at);
      }
    }
    cluster.rm.drainEvents();
    after();
    ArrayNode allocated = Cluster.JSON.createArrayNode();
    ArrayNode completed = Cluster.JSON.createArrayNode();
    ArrayNode held = Cluster.JSON.createArrayNode();
    for (Cluster.App app : cluster.apps) {
      if (app.over) {
        continue;
      }
      RMAppState state = cluster.rm.getRMContext().getRMApps().get(app.id).getState();
      if (state == RMAppState.KILLED || state == RMAppState.FAILED || state == RMAppState.FINISHED) {
        app.over = true;
        continue;
      }
      SchedulerApplicationAttempt at = cluster.attempt(app);
      Map<ContainerId, RMContainer> now = new TreeMap<>();
      if (at != null) {
        at.getLiveContainers().forEach(c -> now.put(c.getContainerId(), c));
      }
      for (ContainerId id : List.copyOf(app.live)) {
        if (!now.containsKey(id)) {
          app.live.remove(id);
          completed.add(name(app, id));
        }
      }
      for (RMContainer c : now.values()) {
        if (app.live.add(c.getContainerId())) {
          allocated.add(row(app, c.getContainerId(), c.getAllocatedNode().getHost(), c.getAllocatedResource(), c.getAllocatedPriority()));
        }
      }
      if (at != null) {
        at.getReservedContainers().forEach(
            c -> held.add(row(app, c.getContainerId(), c.getReservedNode().getHost(), c.getReservedResource(), c.getReservedSchedulerKey().getPriority())));
      }
    }
    if (allocated.size() > 0) {
      out.set("allocated", Cluster.sorted(allocated));
    }
    if (completed.size() > 0) {
      out.set("completed", Cluster.sorted(completed));
    }
    ArrayNode sorted = Cluster.sorted(held);
    if (!sorted.toString().equals(reserved)) {
      reserved = sorted.toString();
      out.set("reserved", sorted);
    }
  }

  /** [application, attempt, number]. */
  ArrayNode name(Cluster.App app, ContainerId id) {
    return Cluster.JSON.createArrayNode().add(app.index).add(id.getApplicationAttemptId().getAttemptId()).add(id.getContainerId());
  }

  /** A container by its id, or null if no application of the trace has it. */
  ArrayNode name(ContainerId id) {
    for (Cluster.App app : cluster.apps) {
      if (app.id.equals(id.getApplicationAttemptId().getApplicationId())) {
        return name(app, id);
      }
    }
    return null;
  }

  private ArrayNode row(Cluster.App app, ContainerId id, String node, Resource r, Priority priority) {
    ArrayNode n = name(app, id);
    cluster.row(app, node, r, priority.getPriority()).forEach(n::add);
    n.remove(3); // the application, once more
    return n;
  }
}
