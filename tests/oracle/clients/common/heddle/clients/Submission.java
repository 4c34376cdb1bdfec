package heddle.clients;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.util.Records;
import org.mockito.Mockito;

/** What a client hands to YARN, and the YARN that it hands it to. */
@SuppressWarnings("deprecation")
public final class Submission {
  private static final Pattern HEAP = Pattern.compile("-Xmx\\S+");

  /** The largest container of a case. */
  public static Resource most(Map<String, Object> given) {
    Map<String, Object> maximum = Told.map(given, "maximum");
    return Resource.newInstance(Told.number(maximum, "memory_mb", 8192), Told.number(maximum, "vcores", 4));
  }

  /** Has a mock give one application, and hand on what is submitted. */
  public static <Y extends YarnClient> Y to(Y yarn, Resource most, Consumer<ApplicationSubmissionContext> submitted)
      throws Exception {
    ApplicationId id = ApplicationId.newInstance(1, 1);
    Mockito.when(yarn.createApplication()).thenAnswer(call -> {
      ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
      context.setApplicationId(id);
      return new YarnClientApplication(GetNewApplicationResponse.newInstance(id, most, most), context);
    });
    Mockito.when(yarn.submitApplication(Mockito.any())).thenAnswer(call -> {
      submitted.accept(call.getArgument(0));
      return id;
    });
    return yarn;
  }

  /** What all clients set; `more` stands behind the size of the ApplicationMaster, which is asked for as `am`. */
  public static Map<String, Object> told(ApplicationSubmissionContext context, Resource am, Map<String, Object> more) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", context.getApplicationName());
    out.put("type", context.getApplicationType());
    out.put("queue", context.getQueue());
    out.put("tags", new TreeSet<>(context.getApplicationTags()));
    out.put("priority", context.getPriority() == null ? null : context.getPriority().getPriority());
    out.put("label", context.getNodeLabelExpression());
    Map<String, Object> size = new LinkedHashMap<>();
    size.put("memory_mb", am.getMemory());
    size.put("vcores", am.getVirtualCores());
    out.put("am", size);
    out.putAll(more);
    out.put("max_attempts", context.getMaxAppAttempts());
    out.put("keep_containers", context.getKeepContainersAcrossApplicationAttempts());
    out.put("attempt_failures_validity_ms", context.getAttemptFailuresValidityInterval());
    return out;
  }

  /** `-Xmx…` of the ApplicationMaster's command; null if there is none. */
  public static String heap(ApplicationSubmissionContext context) {
    Matcher found = HEAP.matcher(context.getAMContainerSpec().getCommands().get(0));
    return found.find() ? found.group() : null;
  }
}
