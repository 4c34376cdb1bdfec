package heddle.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.event.AbstractEvent;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;

/**
 * Asynchronous scheduling by hand: one call of the real `CapacityScheduler.schedule` at a time, from a given start, with its proposals
 * committed by the real `tryCommit`, in their order. Neither the scheduling threads nor the committing one do anything by themselves.
 */
final class Walk {
  /** The start that the next walk takes, in the place of chance. */
  private static volatile int start;
  private static boolean installed;

  private enum Pause {
    NOW
  }

  private static final class PauseEvent extends AbstractEvent<Pause> {
    PauseEvent() {
      super(Pause.NOW);
    }
  }

  /** What the walk proposes. The committing thread waits at `take` for ever. */
  private final class Backlog extends LinkedBlockingQueue<Object> {
    @Override
    public boolean add(Object request) {
      if (atOnce) {
        commit(request);
        return true;
      }
      return super.add(request);
    }

    @Override
    public Object take() throws InterruptedException {
      new CountDownLatch(1).await();
      return null;
    }
  }

  private final Cluster cluster;
  private final Backlog backlog = new Backlog();
  private boolean atOnce;
  /** When each node was last heard of, by the trace's clock, and what was written into it. */
  private final Map<NodeId, Long> heard = new HashMap<>();
  private final Map<SchedulerNode, Long> written = new java.util.IdentityHashMap<>();

  /** After the ResourceManager is made, before it starts. */
  Walk(Cluster cluster) throws ReflectiveOperationException {
    this.cluster = cluster;
    if (!cluster.kind.equals("capacity")) {
      return;
    }
    install();
    Object conf = Reflect.field(CapacityScheduler.class, "asyncSchedulingConf").get(cluster.capacity());
    Object committer = Reflect.field(conf.getClass(), "resourceCommitterService").get(conf);
    if (committer != null) {
      Reflect.field(conf.getClass(), "asyncSchedulerThreads").set(conf, List.of());
      Reflect.field(conf.getClass(), "asyncScheduleInterval").setLong(conf, 0);
      Reflect.field(committer.getClass(), "backlogs").set(committer, backlog);
    }
  }

  /** The start of a walk is drawn from a constant of the class. */
  private static void install() throws ReflectiveOperationException {
    if (installed) {
      return;
    }
    installed = true;
    Field u = Reflect.field(sun.misc.Unsafe.class, "theUnsafe");
    sun.misc.Unsafe unsafe = (sun.misc.Unsafe) u.get(null);
    Field random = CapacityScheduler.class.getDeclaredField("random");
    unsafe.ensureClassInitialized(CapacityScheduler.class);
    unsafe.putObject(unsafe.staticFieldBase(random), unsafe.staticFieldOffset(random), new Random() {
      @Override
      public int nextInt(int bound) {
        return start % bound;
      }
    });
  }

  /** One walk. What its commits tell the rest of the ResourceManager is taken up when it is over. */
  void step(JsonNode s) throws Exception {
    start = s.path("start").asInt();
    atOnce = !s.path("commit").asText("at_once").equals("after");
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Dispatcher dispatcher = cluster.rm.getRMContext().getDispatcher();
    EventHandler<PauseEvent> pause = e -> {
      held.countDown();
      try {
        go.await();
      } catch (InterruptedException x) {
        Thread.currentThread().interrupt();
      }
    };
    dispatcher.register(Pause.class, pause);
    dispatcher.getEventHandler().handle(new PauseEvent());
    held.await();
    try {
      Method schedule = CapacityScheduler.class.getDeclaredMethod("schedule", CapacityScheduler.class);
      schedule.setAccessible(true);
      schedule.invoke(null, cluster.capacity());
      for (Object request; (request = backlog.poll()) != null;) {
        commit(request);
      }
    } catch (InvocationTargetException e) {
      throw (Exception) e.getCause();
    } finally {
      go.countDown();
    }
  }

  private void commit(Object request) {
    cluster.capacity().tryCommit(cluster.capacity().getClusterResource(), (ResourceCommitRequest<?, ?>) request, true);
  }

  /**
   * Before a step: a node that has been silent by the trace's clock for longer than the scheduler puts up with is so for the scheduler,
   * and no other, however slow the machine is.
   */
  void before() throws ReflectiveOperationException {
    if (!cluster.kind.equals("capacity")) {
      return;
    }
    long patience = org.apache.hadoop.yarn.conf.YarnConfiguration.getSkipNodeInterval(cluster.conf);
    written.clear();
    for (SchedulerNode n : cluster.capacity().getNodeTracker().getAllNodes()) {
      long age = cluster.clock.getTime() - heard.getOrDefault(n.getNodeID(), cluster.clock.getTime());
      long at = Time.monotonicNow() + (age > patience ? -10_000_000 : 10_000_000);
      Reflect.field(SchedulerNode.class, "lastHeartbeatMonotonicTime").setLong(n, at);
      written.put(n, at);
    }
  }

  /** After a step: who was heard of in it. */
  void after() {
    if (!cluster.kind.equals("capacity")) {
      return;
    }
    for (SchedulerNode n : cluster.capacity().getNodeTracker().getAllNodes()) {
      Long was = written.get(n);
      if (was == null || was != n.getLastHeartbeatMonotonicTime()) {
        heard.put(n.getNodeID(), cluster.clock.getTime());
      }
    }
  }
}
