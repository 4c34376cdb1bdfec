package heddle.oracle;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** How scripts for the FairScheduler are drawn: what families of one subject, and those of all at once, have in common. */
abstract class FairScript extends Family {
  enum Subject {
    BASIC, DRF, MINMAX, LOCALITY, MULTI, RESERVE, AM, LIMITS, PLACEMENT, CHURN, PREEMPT, CONTINUOUS
  }

  static final String F = "yarn.scheduler.fair.";
  final FairPlacement placement = new FairPlacement();
  // of the trace being made
  FairTree tree;
  boolean gpu;
  int nodes;
  int named;
  final Deque<ObjectNode> todo = new ArrayDeque<>();
  final List<String> adHoc = new ArrayList<>();

  /** Whether a script is about one of these. */
  abstract boolean is(Subject... any);

  abstract ObjectNode newNode(Rnd r);

  /** Queues come, go and change. */
  abstract void refresh(Rnd r);

  /** Nodes come, go and change. */
  abstract void churn(Cluster c, Rnd r, List<Cluster.App> unfinished);

  /** What only some subjects do; false if it is nothing this time. */
  abstract boolean special(Cluster c, Rnd r, List<Cluster.App> unfinished);

  @Override
  int length(Rnd r) {
    return r.pick(r.range(25, 40), r.range(35, 60), r.range(55, 85)) + (is(Subject.PREEMPT) ? 20 : 0);
  }

  // ------------------------------------------------------------ settings

  void site(ObjectNode y, Rnd r) {
    boolean fine = is(Subject.MINMAX, Subject.AM, Subject.BASIC);
    y.put("yarn.scheduler.minimum-allocation-mb", Integer.toString(fine ? r.pick(0, 256, 512, 1000, 1024) : r.pick(256, 512, 1024)));
    y.put("yarn.scheduler.minimum-allocation-vcores", Integer.toString(r.pick(1, 1, 1, 0)));
    y.put("yarn.scheduler.maximum-allocation-mb", Integer.toString(r.pick(8192, 8192, 6000)));
    y.put("yarn.scheduler.maximum-allocation-vcores", "8");
    if (r.chance(0.2)) {
      y.put("yarn.resource-types.memory-mb.increment-allocation", r.pick("256", "1 Gi", "500"));
    } else {
      y.put("yarn.scheduler.increment-allocation-mb", Integer.toString(fine ? r.pick(1, 256, 500, 1024) : r.pick(256, 512, 1024)));
    }
    y.put("yarn.scheduler.increment-allocation-vcores", Integer.toString(r.pick(1, 1, 1, 2)));
    if (gpu) {
      y.put("yarn.resource-types", "yarn.io/gpu");
    }
    if (r.chance(is(Subject.BASIC) ? 0.2 : 0.05)) {
      y.put(F + "sizebasedweight", "true");
    }
    boolean multi = is(Subject.MULTI) || r.chance(is(Subject.PREEMPT) ? 0.85 : 0.3);
    y.put(F + "assignmultiple", Boolean.toString(multi));
    if (multi) {
      y.put(F + "dynamic.max.assign", Boolean.toString(is(Subject.PREEMPT) ? r.chance(0.2) : r.chance(0.5)));
      if (r.chance(0.6)) {
        y.put(F + "max.assign", Integer.toString(is(Subject.PREEMPT) ? r.pick(-1, -1, 0, 3, 8) : r.pick(-1, 0, 1, 2, 3, 5)));
      }
    }
    if (is(Subject.LOCALITY) || r.chance(0.1)) {
      y.put(F + "locality.threshold.node", r.pick("-1", "0", "0.1", "0.34", "0.5", "0.75", "1", "2"));
      y.put(F + "locality.threshold.rack", r.pick("-1", "0", "0.1", "0.34", "0.5", "0.75", "1", "2", "0.5"));
    }
    if (is(Subject.RESERVE) || r.chance(0.2)) {
      y.put(F + "reservable-nodes", r.pick("0.05", "0.2", "0.5", "1.0", "0.34", "0"));
      y.put("yarn.scheduler.reservation-threshold.increment-multiple", r.pick("1", "2", "2", "3.5", "0.5"));
    }
    if (is(Subject.CONTINUOUS)) {
      y.put(F + "continuous-scheduling-enabled", "true");
      y.put(F + "continuous-scheduling-sleep-ms", Integer.toString(r.pick(5, 100)));
      y.put(F + "locality-delay-node-ms", Integer.toString(r.pick(-1, 0, 500, 1000, 1000, 3000)));
      y.put(F + "locality-delay-rack-ms", Integer.toString(r.pick(-1, 0, 500, 1000, 1000, 3000)));
    }
  }

  /** Draws children below `q`; no more than twelve leaves in all. */
  void grow(FairTree.Q q, Rnd r, int level) {
    int deepest = is(Subject.BASIC, Subject.DRF, Subject.LIMITS, Subject.MINMAX) ? 3 : 2;
    int n = level == 1 ? r.range(is(Subject.PREEMPT) ? 2 : 1, 4) : r.range(2, 3);
    for (int i = 0; i < n; i++) {
      FairTree.Q k = new FairTree.Q(q);
      q.kids.add(k);
    }
    for (FairTree.Q k : q.kids) {
      if (level < deepest && tree.leaves().size() <= 10 && r.chance(is(Subject.PLACEMENT) ? 0.5 : level == 1 ? 0.35 : 0.2)) {
        grow(k, r, level + 1);
      }
    }
    if (level == 1 && is(Subject.PLACEMENT, Subject.MINMAX, Subject.CHURN) && r.chance(0.6)) {
      List<FairTree.Q> leaves = new ArrayList<>(q.kids);
      leaves.removeIf(k -> !k.leaf());
      if (leaves.size() > 1) {
        r.pick(leaves).typed = true;
      }
    }
  }

  void policies(Rnd r) {
    boolean drf = is(Subject.DRF) || r.chance(0.3);
    if (drf) {
      if (r.chance(0.5)) {
        tree.top.put("defaultQueueSchedulingPolicy", r.pick("drf", "DRF"));
      } else {
        tree.root.fields.put("schedulingPolicy", "drf");
      }
    } else if (r.chance(0.2)) {
      tree.top.put("defaultQueueSchedulingPolicy", "fair");
    }
    boolean wrong = is(Subject.BASIC) && r.chance(0.06); // a drf queue below a fair one is never created
    for (FairTree.Q q : tree.all()) {
      if (q.parent == null) {
        continue;
      }
      boolean below = q.parent.policy(tree.standard()).equalsIgnoreCase("drf");
      if (below) {
        double d = r.nextDouble();
        if (d < (is(Subject.DRF) ? 0.7 : 0.4)) {
          q.fields.put("schedulingPolicy", "drf");
        } else if (d < 0.8 || !q.leaf()) {
          q.fields.put("schedulingPolicy", "fair");
        } else {
          q.fields.put("schedulingPolicy", "fifo");
        }
      } else if (wrong && r.chance(0.3)) {
        q.fields.put("schedulingPolicy", "drf");
      } else if (q.leaf() && r.chance(0.25)) {
        q.fields.put("schedulingPolicy", "fifo");
      } else if (r.chance(0.3) || tree.standard().equalsIgnoreCase("drf")) {
        q.fields.put("schedulingPolicy", "fair");
      }
    }
  }

  void settings(FairTree.Q q, Rnd r) {
    if (q.parent == null) {
      if (is(Subject.MINMAX) && r.chance(0.3)) {
        q.fields.put("maxResources", most(r));
      }
      if (is(Subject.LIMITS) && r.chance(0.25)) {
        q.fields.put("maxRunningApps", Integer.toString(r.range(2, 5)));
      }
      return;
    }
    if (r.chance(is(Subject.BASIC, Subject.DRF) ? 0.7 : 0.3)) {
      q.fields.put("weight", r.pick("2.0", "3", "0.5", "1.5", "10", "0.1", "0"));
    }
    boolean minmax = is(Subject.MINMAX);
    if (r.chance(minmax ? 0.5 : is(Subject.PREEMPT) ? 0.5 : is(Subject.DRF, Subject.BASIC) ? 0.3 : 0.08)) {
      q.fields.put("minResources", least(r));
    }
    if (r.chance(minmax ? 0.5 : is(Subject.DRF) ? 0.15 : 0.08)) {
      q.fields.put("maxResources", most(r));
    }
    if (minmax && r.chance(0.3)) {
      q.fields.put("maxContainerAllocation", r.pick("1024 mb, 1 vcores", "2048 mb, 2 vcores", "memory-mb=3000", "vcores=1", "50%"));
    }
    if (minmax && !q.leaf() && r.chance(0.8)) {
      q.fields.put("maxChildResources", most(r));
    }
    if (q.leaf() && r.chance(is(Subject.AM) ? 0.8 : 0.3)) {
      q.fields.put("maxAMShare", is(Subject.AM) ? r.pick("0.1", "0.2", "0.3", "0.5", "0.05", "1.0", "-1", "0.7", "0") : r.pick("-1", "1.0", "0.8"));
    }
    if (is(Subject.LIMITS) && r.chance(0.6)) {
      q.fields.put("maxRunningApps", Integer.toString(r.chance(0.08) ? 0 : r.pick(1, 1, 2, 2, 3)));
    }
    if (is(Subject.PREEMPT)) {
      preemption(q, r);
    }
  }

  String least(Rnd r) {
    String s = r.pick(1024 * r.range(1, 4) + " mb, " + r.range(0, 3) + " vcores", "memory-mb=" + 1024 * r.range(1, 5) + ",vcores=" + r.range(0, 4),
        "memory-mb=" + 500 * r.range(1, 9), "vcores=" + r.range(1, 4) + " vcores".substring(7), 1024 * r.range(1, 4) + "mb," + r.range(1, 2) + "vcores");
    return gpu && r.chance(0.5) ? "memory-mb=" + 1024 * r.range(1, 4) + ", vcores=1, yarn.io/gpu=" + r.range(0, 3) : s;
  }

  String most(Rnd r) {
    String s = r.pick(1024 * r.range(3, 10) + " mb, " + r.range(2, 10) + " vcores", "memory-mb=" + 1024 * r.range(3, 10) + ", vcores=" + r.range(2, 10),
        "vcores=" + r.range(2, 8), r.range(15, 90) + "%", r.range(15, 90) + ".5%", r.range(20, 100) + "% memory, " + r.range(20, 100) + "% cpu",
        "memory-mb=" + r.range(20, 90) + "%", "memory-mb=" + r.range(20, 90) + "%, vcores=" + r.range(20, 100) + "%");
    return gpu && r.chance(0.6) ? r.pick("yarn.io/gpu=" + r.range(0, 4), "yarn.io/gpu=" + r.range(20, 80) + "%") : s;
  }

  void topLevel(Rnd r) {
    if (r.chance(is(Subject.AM) ? 0.6 : 0.85)) {
      tree.top.put("queueMaxAMShareDefault", is(Subject.AM) ? r.pick("0.1", "0.25", "0.5", "1.0", "-1") : r.pick("0.8", "1.0", "-1.0"));
    }
    if (is(Subject.MINMAX) && r.chance(0.3)) {
      tree.top.put("queueMaxResourcesDefault", most(r));
    }
    if (is(Subject.LIMITS)) {
      if (r.chance(0.4)) {
        tree.top.put("queueMaxAppsDefault", Integer.toString(r.range(1, 4)));
      }
      if (r.chance(0.5)) {
        tree.top.put("userMaxAppsDefault", Integer.toString(r.range(1, 3)));
      }
      for (String u : List.of("u1", "u2")) {
        if (r.chance(0.4)) {
          tree.users.put(u, Integer.toString(r.chance(0.1) ? 0 : r.range(1, 3)));
        }
      }
    }
  }

  void preemptionSettings(Rnd r, ObjectNode y) {
    y.put(F + "preemption", "true");
    y.put(F + "preemption.cluster-utilization-threshold", r.pick("0", "0.3", "0.5", "0.8", "0.8"));
    y.put(F + "waitTimeBeforeKill", Integer.toString(r.pick(0, 1000, 1000, 5000, 15000)));
    y.put(F + "waitTimeBeforeNextStarvationCheck", Integer.toString(r.pick(0, 1000, 10000)));
    if (r.chance(0.4)) {
      y.put(F + "am.preemption", Boolean.toString(r.chance(0.3)));
    }
    if (r.chance(0.2)) {
      y.put(F + "am.preemption." + r.pick(tree.leaves()).path(), Boolean.toString(r.chance(0.5)));
    }
    if (r.chance(0.92)) {
      tree.top.put("defaultFairSharePreemptionTimeout", Integer.toString(r.pick(0, 1, 2, 5)));
    }
    if (r.chance(0.5)) {
      tree.top.put("defaultMinSharePreemptionTimeout", Integer.toString(r.pick(0, 1, 2, 5)));
    }
    if (r.chance(0.6)) {
      tree.top.put("defaultFairSharePreemptionThreshold", r.pick("0.3", "0.5", "0.8", "1.0", "1.0"));
    }
  }

  void preemption(FairTree.Q q, Rnd r) {
    if (r.chance(0.3)) {
      q.fields.put("fairSharePreemptionTimeout", Integer.toString(r.pick(0, 1, 3, 10)));
    }
    if (r.chance(q.fields.containsKey("minResources") ? 0.8 : 0.1)) {
      q.fields.put("minSharePreemptionTimeout", Integer.toString(r.pick(0, 1, 2, 5)));
    }
    if (r.chance(0.3)) {
      q.fields.put("fairSharePreemptionThreshold", r.pick("0.2", "0.5", "0.75", "1.0", "1.5"));
    }
    if (r.chance(0.15)) {
      q.fields.put("allowPreemptionFrom", "false");
    }
  }

  // ------------------------------------------------------------ steps

  @Override
  ObjectNode next(Cluster c, Rnd r, int i, int n) {
    if (i < nodes) {
      return newNode(r);
    }
    if (i == n - 1) {
      return op("observe");
    }
    if (i == nodes) {
      todo.add(op("update"));
      open(c, r);
    }
    if (todo.isEmpty()) {
      draw(c, r);
    }
    ObjectNode s = todo.poll();
    while (s.path("op").asText().equals("heartbeat")) { // written when it is due: who is there to finish is known only now
      if (s.has("to") && c.nodes.containsKey(s.get("to").asText())) {
        return heartbeatOf(c, r, s.get("to").asText(), is(Subject.RESERVE) ? 0.2 : 0.08);
      } else if (!s.has("to")) {
        return nodeHeartbeat(c, r, is(Subject.RESERVE) ? 0.25 : 0.12);
      }
      s = todo.isEmpty() ? op("update") : todo.poll();
    }
    if (s.path("op").asText().equals("ask") && (s.get("app").asInt() >= c.apps.size() || c.apps.get(s.get("app").asInt()).over
        || c.apps.get(s.get("app").asInt()).am == null)) {
      return op("update"); // it was planned for an application that did not get so far
    }
    if (s.has("app") && List.of("kill_app", "move_app").contains(s.get("op").asText()) && c.apps.get(s.get("app").asInt()).over) {
      return op("update");
    }
    return s;
  }

  /** The first moments: a few applications, so that the rest has something to work on. */
  void open(Cluster c, Rnd r) {
    int n = r.range(2, 4);
    for (int k = 0; k < n; k++) {
      submission(c, r, k);
    }
    round(c);
    if (r.chance(0.5)) {
      round(c);
    }
    if (is(Subject.PREEMPT)) {
      todo.clear();
      fill(c, r);
    }
  }

  /** One application takes all there is, so that the next ones find the cluster full. */
  void fill(Cluster c, Rnd r) {
    submission(c, r, 0);
    round(c);
    ObjectNode ask = op("ask").put("app", c.apps.size());
    ask.putArray("requests").add(request(1, "*", r.pick(256, 512, 512, 1024), 1, 60));
    todo.add(ask);
    for (int k = r.pick(1, 2, 2, 3, 4); k > 0; k--) {
      round(c);
    }
  }

  void round(Cluster c) {
    todo.add(op("update"));
    c.nodes.keySet().forEach(x -> todo.add(op("heartbeat").put("to", x)));
  }

  void draw(Cluster c, Rnd r) {
    List<Cluster.App> running = running(c);
    List<Cluster.App> unfinished = unfinished(c);
    int many = is(Subject.AM, Subject.LIMITS, Subject.PLACEMENT) ? 12 : 7;
    double d = !idle(c, unfinished) ? r.nextDouble() : running.isEmpty() ? 0 : 0.3 * r.nextDouble(); // with nothing to place: ask or submit
    double more = is(Subject.AM, Subject.LIMITS, Subject.PLACEMENT) ? 0.2 : 0.1;
    if (unfinished.size() < 2 || d < more && unfinished.size() < many) {
      submission(c, r, 0);
      if (r.chance(0.7)) {
        round(c);
      }
    } else if (d < more + 0.2 && !running.isEmpty()) {
      todo.add(newAsk(c, r, r.pick(running)));
      if (r.chance(0.3)) {
        todo.add(newAsk(c, r, r.pick(running)));
      }
      if (r.chance(0.5)) {
        round(c);
      } else if (r.chance(0.7)) {
        todo.add(op("update"));
      }
    } else if (d < more + 0.215) {
      todo.add(op("observe"));
    } else if (d < more + 0.22 + (is(Subject.LIMITS, Subject.AM) ? 0.1 : 0.02)) {
      todo.add(op("kill_app").put("app", r.pick(unfinished).index));
    } else if (!special(c, r, unfinished)) {
      if (r.chance(0.25)) {
        round(c);
      } else if (r.chance(0.12)) {
        todo.add(op("update"));
      } else {
        todo.add(op("heartbeat"));
      }
    }
  }

  static boolean idle(Cluster c, List<Cluster.App> unfinished) {
    for (Cluster.App a : unfinished) {
      var at = c.attempt(a);
      if (at != null && at.getAppAttemptResourceUsage().getPending().getMemorySize() > 0) {
        return false;
      }
    }
    return true;
  }

  ObjectNode move(Rnd r, List<Cluster.App> unfinished) {
    String to = r.chance(0.9) ? r.pick(tree.leaves()).path() : r.pick("root", "root.nowhere", "root");
    return op("move_app").put("app", r.pick(unfinished).index).put("queue", to);
  }

  // ------------------------------------------------------------ step makers

  void submission(Cluster c, Rnd r, int ahead) {
    if (is(Subject.LIMITS) || r.chance(0.4)) {
      todo.add(op("clock").put("ms", r.range(1, 1500))); // with running-app limits, start times must differ: a heap breaks ties otherwise
    }
    if (is(Subject.PLACEMENT)) {
      todo.add(placement.submission(c.apps.size() + ahead, r, tree));
      return;
    }
    String queue = r.pick(tree.leaves()).path();
    if (r.chance(0.15)) {
      queue = queue.substring(5);
    }
    if (is(Subject.MINMAX, Subject.CHURN) && r.chance(0.3) || r.chance(0.02)) {
      List<FairTree.Q> parents = tree.parents();
      parents.add(tree.root);
      queue = r.pick(parents).path() + "." + r.pick("h1", "h2", "h3");
    } else if (!adHoc.isEmpty() && r.chance(0.2)) {
      queue = r.pick(adHoc);
    } else if (r.chance(0.02)) {
      queue = r.pick("root", "default", queue + ".x");
    }
    int mb = is(Subject.AM) ? r.pick(256, 512, 1000, 1024, 2048, 3000) : r.pick(256, 512, 512, 1024);
    ObjectNode o = submit(c.apps.size() + ahead, queue, r.pick("u1", "u1", "u2", "u3"), mb, r.pick(1, 1, 1, 2));
    if (gpu && r.chance(0.2)) {
      ((ObjectNode) o.get("am")).putObject("resources").put("yarn.io/gpu", 1);
    }
    todo.add(o);
  }

  ObjectNode newAsk(Cluster c, Rnd r, Cluster.App a) {
    ObjectNode o = op("ask").put("app", a.index);
    ArrayNode asks = o.putArray("requests");
    int kinds = is(Subject.PREEMPT) ? 1 : r.pick(1, 1, 1, 2);
    for (int k = 0; k < kinds; k++) {
      int priority = is(Subject.PREEMPT) ? 1 : r.range(1, 4);
      int mb = is(Subject.RESERVE) ? r.pick(1024, 1536, 2048, 3000, 3000, 4096, 5000) : is(Subject.PREEMPT) ? r.pick(256, 512, 1024, 1024, 2048)
          : r.pick(256, 512, 700, 1024, 1024, 2048, 3000);
      int vcores = is(Subject.PREEMPT) ? r.pick(1, 1, 1, 2) : r.pick(1, 1, 1, 2, 3);
      int count = is(Subject.PREEMPT) ? r.pick(1, 3, 6, 10, 20) : is(Subject.RESERVE) ? r.pick(1, 3, 5, 8, 12) : r.pick(0, 1, 2, 3, 5, 8, 8, 12, 20);
      List<ObjectNode> made = new ArrayList<>();
      if (r.chance(is(Subject.LOCALITY, Subject.CONTINUOUS) ? 0.85 : is(Subject.PREEMPT, Subject.RESERVE, Subject.CHURN) ? 0.25 : 0.05)) {
        located(c, r, made, priority, mb, vcores, count);
      } else {
        made.add(request(priority, "*", mb, vcores, count));
      }
      if (gpu && r.chance(0.6)) {
        int g = r.range(0, 2);
        made.forEach(x -> x.putObject("resources").put("yarn.io/gpu", g));
      }
      boolean id = !is(Subject.PREEMPT) && r.chance(0.1);
      int number = r.range(0, 3);
      made.forEach(x -> asks.add(id ? x.put("id", number) : x));
    }
    List<Integer> w = workers(c, a);
    if (!w.isEmpty() && r.chance(0.12)) {
      o.putArray("release").add(r.pick(w));
    }
    if (r.chance(is(Subject.LOCALITY, Subject.CONTINUOUS) ? 0.15 : 0.03)) {
      o.putArray(r.pick("blacklist_add", "blacklist_add", "blacklist_remove"))
          .add(r.chance(0.2) ? r.pick("/r1", "/r2") : r.pick(new ArrayList<>(c.nodes.keySet())));
    }
    return o;
  }

  /** Asks by host and rack, at times strict at the rack or at `*`, at times with an entry left out. */
  void located(Cluster c, Rnd r, List<ObjectNode> made, int priority, int mb, int vcores, int count) {
    List<String> names = new ArrayList<>(c.nodes.keySet());
    Collections.shuffle(names, r);
    Set<String> racks = new TreeSet<>();
    boolean strict = r.chance(0.25);
    boolean rackOnly = r.chance(0.25);
    boolean noRack = r.chance(0.05);
    int hosts = r.range(1, Math.min(3, names.size()));
    for (String h : names.subList(0, hosts)) {
      racks.add(Topology.RACKS.get(h));
      if (!rackOnly) {
        made.add(request(priority, h, mb, vcores, r.chance(0.3) ? count : Math.max(1, count / hosts)));
      }
    }
    if (!noRack) {
      for (String rack : racks) {
        ObjectNode x = request(priority, rack, mb, vcores, count);
        made.add(strict && !rackOnly ? x.put("relax", false) : x);
      }
    }
    ObjectNode any = request(priority, "*", mb, vcores, count);
    made.add(strict ? any.put("relax", false) : any);
  }

  // ------------------------------------------------------------ shared with the FIFO families

  /** Whether the ApplicationMaster of an unfinished application runs on a node. */
  static boolean holdsAm(Cluster c, String node) {
    for (Cluster.App a : unfinished(c)) {
      for (var id : a.live) {
        if ((a.am == null || a.amContainers.contains(id)) && node.equals(a.nodeOf.get(id))) {
          return true;
        }
      }
    }
    return false;
  }

  static ObjectNode nodeHeartbeat(Cluster c, Rnd r, double finish) {
    return heartbeatOf(c, r, r.pick(new ArrayList<>(c.nodes.keySet())), finish);
  }

  /** A heartbeat on which running containers finish with the given chance, and on which the node tells the end of most that were killed. */
  static ObjectNode heartbeatOf(Cluster c, Rnd r, String node, double finish) {
    ObjectNode o = op("heartbeat").put("node", node);
    ArrayNode f = Rnd.array();
    for (int[] k : FairDriver.lingering(c, node)) {
      if (r.chance(0.8)) {
        f.add(Rnd.array().add(k[0]).add(k[1]));
      }
    }
    for (Cluster.App a : unfinished(c)) {
      for (int k : workers(c, a)) {
        var id = a.containers.get(k);
        if (node.equals(a.nodeOf.get(id)) && c.reportedRunning.contains(id) && r.chance(finish)) {
          f.add(Rnd.array().add(a.index).add(k));
        }
      }
    }
    if (f.size() > 0) {
      o.set("finish", f);
    }
    return o;
  }
}
