package heddle.clients;


import java.io.File;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.api.records.YarnClusterMetrics;
import org.apache.hadoop.yarn.applications.distributedshell.Client;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YARNFeatureNotEnabledException;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.mockito.MockedStatic;
import org.mockito.Mockito;

/** A command line in the hands of the real Client of the distributed shell: parsed, checked, submitted. */
public final class Play implements Part {
  /** Thrown once the submission is there: what follows only watches it. */
  private static final class Submitted extends RuntimeException {
    final ApplicationSubmissionContext context;

    Submitted(ApplicationSubmissionContext context) {
      this.context = context;
    }
  }

  @Override
  public String kind() {
    return "shell-client";
  }

  @Override
  public Map<String, Object> play(Map<String, Object> given, File work) throws Exception {
    Map<String, Object> out = new LinkedHashMap<>();
    Told.write(work, "app.jar", "x");
    Told.write(work, "run.sh", "x");
    List<String> line = new ArrayList<>();
    ((List<?>) given.getOrDefault("args", List.of())).forEach(arg -> line.add(arg.toString().replace("WORK", work.toString())));
    Object types = given.get("resource_types");
    List<String> names = new ArrayList<>();
    ((List<?>) (types == null ? List.of() : types)).forEach(one -> names.add(one.toString()));
    // What the client copies for its ApplicationMaster goes into the user's home.
    System.setProperty("user.home", work.toString());
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "file://" + work);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.set("yarn.resource-types", String.join(",", names));
    ResourceUtils.resetResourceTypes(conf);
    List<?> queues = (List<?>) given.getOrDefault("queues", List.of("default"));
    YarnClient yarn = Submission.to(Mockito.mock(YarnClient.class), Submission.most(given), context -> {
      throw new Submitted(context);
    });
    Mockito.when(yarn.getYarnClusterMetrics()).thenReturn(YarnClusterMetrics.newInstance(1));
    Mockito.when(yarn.getQueueInfo(Mockito.any())).thenAnswer(call -> {
      String queue = call.getArgument(0);
      return queues.contains(queue) ? Mockito.mock(QueueInfo.class) : null;
    });
    Mockito.when(yarn.getResourceProfiles()).thenThrow(new YARNFeatureNotEnabledException("off"));
    List<ResourceTypeInfo> known = new ArrayList<>();
    known.add(ResourceTypeInfo.newInstance("memory-mb"));
    known.add(ResourceTypeInfo.newInstance("vcores"));
    names.forEach(one -> known.add(ResourceTypeInfo.newInstance(one)));
    Mockito.when(yarn.getResourceTypeInfo()).thenReturn(known);
    String stage = "read";
    try (MockedStatic<YarnClient> maker = Mockito.mockStatic(YarnClient.class)) {
      maker.when(YarnClient::createYarnClient).thenReturn(yarn);
      Client client = new Client(conf);
      if (!client.init(line.toArray(new String[0]))) {
        out.put("usage", true);
        return out;
      }
      stage = "submit";
      client.run();
    } catch (Submitted done) {
      told(done.context, out);
    } catch (Throwable e) {
      out.put("refused", Told.refusal(stage, e, work));
    }
    return out;
  }

  private static void told(ApplicationSubmissionContext context, Map<String, Object> into) {
    Resource size = context.getAMContainerResourceRequests().get(0).getCapability();
    Map<String, Object> others = new TreeMap<>();
    for (ResourceInformation one : size.getResources()) {
      if (!one.getName().equals("memory-mb") && !one.getName().equals("vcores") && one.getValue() != 0) {
        others.put(one.getName(), one.getValue());
      }
    }
    Map<String, Object> more = new LinkedHashMap<>();
    more.put("am_others", others);
    more.put("am_request_priority", context.getAMContainerResourceRequests().get(0).getPriority().getPriority());
    into.put("submission", Submission.told(context, size, more));
    // What its ApplicationMaster is started with, as far as requests hang on it.
    Map<String, Object> master = new TreeMap<>();
    String[] words = context.getAMContainerSpec().getCommands().get(0).split(" ");
    for (int i = 0; i < words.length; i++) {
      String value = i + 1 < words.length ? words[i + 1] : null;
      switch (words[i]) {
        case "--container_type", "--container_memory", "--container_vcores", "--num_containers", "--priority" ->
            master.put(words[i].substring(2), value);
        case "--container_resources" -> master.put("container_resources", new TreeSet<>(List.of(value.split(","))));
        case "--placement_spec" -> master.put("placement_spec", new String(Base64.getDecoder().decode(value)));
        case "--promote_opportunistic_after_start", "--enforce_execution_type", "--keep_containers_across_application_attempts" ->
            master.put(words[i].substring(2), true);
        default -> { }
      }
      if (words[i].startsWith("-Xmx")) {
        master.put("heap", words[i]);
      }
    }
    into.put("master", master);
  }
}
