package io.github.reconciler4j.test.server.internal.render;

import static io.github.reconciler4j.test.server.internal.render.Cells.number;
import static io.github.reconciler4j.test.server.internal.render.Cells.text;
import static io.github.reconciler4j.test.server.internal.render.Cells.value;
import static io.github.reconciler4j.test.server.internal.render.Cells.valueOr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Columns of what runs pods. */
final class WorkloadColumns {
    private static final List<String> JOB_STATES =
            List.of("Complete", "Failed", "Terminating", "Suspended", "FailureTarget", "SuccessCriteriaMet");

    private WorkloadColumns() {}

    static void addTo(Map<String, Columns> all) {
        all.put("deployments.apps", deployments());
        all.put("replicasets.apps", replicas());
        all.put("replicationcontrollers", replicas());
        all.put("statefulsets.apps", statefulSets());
        all.put("daemonsets.apps", daemonSets());
        all.put("jobs.batch", jobs());
        all.put("cronjobs.batch", cronJobs());
        all.put("podtemplates", podTemplates());
        all.put("controllerrevisions.apps", revisions());
    }

    private static ColumnTable containers(ColumnTable table, String template) {
        String path = template + ".spec.containers";
        return table.wide()
                .text("Containers", object -> Cells.joined(object, path, "name"))
                .text("Images", object -> Cells.joined(object, path, "image"));
    }

    private static ColumnTable selected(ColumnTable table, String template, String selector) {
        return containers(table, template).text("Selector", object -> Cells.selector(object, selector));
    }

    private static Columns deployments() {
        ColumnTable table = ColumnTable.named()
                .text("Ready", object -> number(object, "status.readyReplicas") + "/" + number(object, "spec.replicas"))
                .text("Up-to-date", valueOr("status.updatedReplicas", "0"))
                .text("Available", valueOr("status.availableReplicas", "0"))
                .age();
        return selected(table, "spec.template", "spec.selector");
    }

    private static Columns replicas() {
        ColumnTable table = ColumnTable.named()
                .number("Desired", object -> number(object, "spec.replicas"))
                .number("Current", object -> number(object, "status.replicas"))
                .number("Ready", object -> number(object, "status.readyReplicas"))
                .age();
        return containers(table, "spec.template").text("Selector", object -> {
            boolean plain = text(object, "kind").equals("ReplicationController");
            return plain ? Cells.labels(object, "spec.selector") : Cells.selector(object, "spec.selector");
        });
    }

    private static Columns statefulSets() {
        ColumnTable table = ColumnTable.named()
                .text("Ready", object -> number(object, "status.readyReplicas") + "/" + number(object, "spec.replicas"))
                .age();
        return containers(table, "spec.template");
    }

    private static Columns daemonSets() {
        ColumnTable table = ColumnTable.named()
                .number("Desired", object -> number(object, "status.desiredNumberScheduled"))
                .number("Current", object -> number(object, "status.currentNumberScheduled"))
                .number("Ready", object -> number(object, "status.numberReady"))
                .number("Up-to-date", object -> number(object, "status.updatedNumberScheduled"))
                .number("Available", object -> number(object, "status.numberAvailable"))
                .text("Node Selector", object -> Cells.labels(object, "spec.template.spec.nodeSelector"))
                .age();
        return selected(table, "spec.template", "spec.selector");
    }

    private static Columns jobs() {
        ColumnTable table = ColumnTable.named()
                .text("Status", WorkloadColumns::jobStatus)
                .text("Completions", WorkloadColumns::completions)
                .text("Duration", WorkloadColumns::duration)
                .age();
        return selected(table, "spec.template", "spec.selector");
    }

    private static String jobStatus(ObjectNode job) {
        boolean deleting = !text(job, "metadata.deletionTimestamp").isEmpty();
        for (String state : JOB_STATES) {
            if (state.equals("Terminating") ? deleting : Cells.hasCondition(job, state)) {
                return state;
            }
        }
        return "Running";
    }

    private static String completions(ObjectNode job) {
        long succeeded = number(job, "status.succeeded");
        if (Cells.at(job, "spec.completions") != null) {
            return succeeded + "/" + number(job, "spec.completions");
        }
        long parallelism = number(job, "spec.parallelism");
        return succeeded + "/1" + (parallelism > 1 ? " of " + parallelism : "");
    }

    private static String duration(ObjectNode job) {
        String start = text(job, "status.startTime");
        if (start.isEmpty()) {
            return "";
        }
        String end = text(job, "status.completionTime");
        Instant until = end.isEmpty() ? Instant.now() : Instant.parse(end);
        return Ages.human(Duration.between(Instant.parse(start), until).toSeconds());
    }

    private static Columns cronJobs() {
        ColumnTable table = ColumnTable.named()
                .text("Schedule", value("spec.schedule"))
                .text("Timezone", valueOr("spec.timeZone", Cells.NONE))
                .text("Suspend", WorkloadColumns::suspended)
                .number("Active", object -> Cells.size(object, "status.active"))
                .sinceOr("Last Schedule", Cells.NONE, value("status.lastScheduleTime"))
                .age();
        return selected(table, "spec.jobTemplate.spec.template", "spec.jobTemplate.spec.selector");
    }

    private static String suspended(ObjectNode job) {
        JsonNode value = Cells.at(job, "spec.suspend");
        return value == null ? Cells.UNSET : value.asBoolean() ? "True" : "False";
    }

    private static Columns podTemplates() {
        return ColumnTable.named()
                .text("Containers", object -> Cells.joined(object, "template.spec.containers", "name"))
                .text("Images", object -> Cells.joined(object, "template.spec.containers", "image"))
                .text("Pod Labels", object -> Cells.labels(object, "template.metadata.labels"));
    }

    private static Columns revisions() {
        return ColumnTable.named()
                .text("Controller", WorkloadColumns::controller)
                .text("Revision", value("revision"))
                .age();
    }

    private static String controller(ObjectNode object) {
        for (JsonNode owner : Cells.items(object, "metadata.ownerReferences")) {
            if (Cells.flag(owner, "controller")) {
                String apiVersion = text(owner, "apiVersion");
                int slash = apiVersion.indexOf('/');
                String group = slash < 0 ? "" : "." + apiVersion.substring(0, slash);
                return (text(owner, "kind") + group).toLowerCase(Locale.ROOT) + "/" + text(owner, "name");
            }
        }
        return Cells.NONE;
    }
}
