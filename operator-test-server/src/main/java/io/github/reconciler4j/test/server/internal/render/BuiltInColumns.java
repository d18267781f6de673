package io.github.reconciler4j.test.server.internal.render;

import static io.github.reconciler4j.test.server.internal.render.Cells.items;
import static io.github.reconciler4j.test.server.internal.render.Cells.number;
import static io.github.reconciler4j.test.server.internal.render.Cells.text;
import static io.github.reconciler4j.test.server.internal.render.Cells.value;
import static io.github.reconciler4j.test.server.internal.render.Cells.valueOr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The columns of the built-in kinds that people look at beside an operator. Other kinds have a name and a time. */
final class BuiltInColumns {
    private static final String ROLE = "node-role.kubernetes.io/";
    private static final List<String> JOB_STATES =
            List.of("Complete", "Failed", "Terminating", "Suspended", "FailureTarget", "SuccessCriteriaMet");
    private static final Columns PLAIN = new PlainColumns();
    private static final Map<String, Columns> COLUMNS = Map.ofEntries(
            Map.entry("pods", new PodColumns()),
            Map.entry("deployments.apps", deployments()),
            Map.entry("replicasets.apps", replicaSets()),
            Map.entry("statefulsets.apps", statefulSets()),
            Map.entry("daemonsets.apps", daemonSets()),
            Map.entry("jobs.batch", jobs()),
            Map.entry("services", services()),
            Map.entry("nodes", nodes()),
            Map.entry("events", events()),
            Map.entry("events.events.k8s.io", events()),
            Map.entry(
                    "namespaces",
                    ColumnTable.named().text("Status", value("status.phase")).age()),
            Map.entry("serviceaccounts", ColumnTable.named().age()),
            Map.entry(
                    "leases.coordination.k8s.io",
                    ColumnTable.named()
                            .text("Holder", value("spec.holderIdentity"))
                            .age()),
            Map.entry(
                    "secrets",
                    ColumnTable.named()
                            .text("Type", value("type"))
                            .count("Data", object -> Cells.size(object, "data"))
                            .age()),
            Map.entry(
                    "configmaps",
                    ColumnTable.named()
                            .count("Data", object -> Cells.size(object, "data") + Cells.size(object, "binaryData"))
                            .age()));

    private BuiltInColumns() {}

    static Columns of(ResourceType type) {
        return COLUMNS.getOrDefault(type.id().toString(), PLAIN);
    }

    private static ColumnTable containers(ColumnTable table) {
        String path = "spec.template.spec.containers";
        return table.wide()
                .text("Containers", object -> Cells.joined(object, path, "name"))
                .text("Images", object -> Cells.joined(object, path, "image"));
    }

    private static ColumnTable selected(ColumnTable table) {
        return containers(table).text("Selector", object -> Cells.selector(object, "spec.selector"));
    }

    private static String readyReplicas(ObjectNode object) {
        return number(object, "status.readyReplicas") + "/" + number(object, "spec.replicas");
    }

    private static Columns deployments() {
        return selected(ColumnTable.named()
                .text("Ready", BuiltInColumns::readyReplicas)
                .text("Up-to-date", valueOr("status.updatedReplicas", "0"))
                .text("Available", valueOr("status.availableReplicas", "0"))
                .age());
    }

    private static Columns replicaSets() {
        return selected(ColumnTable.named()
                .number("Desired", object -> number(object, "spec.replicas"))
                .number("Current", object -> number(object, "status.replicas"))
                .number("Ready", object -> number(object, "status.readyReplicas"))
                .age());
    }

    private static Columns statefulSets() {
        return containers(
                ColumnTable.named().text("Ready", BuiltInColumns::readyReplicas).age());
    }

    private static Columns daemonSets() {
        return selected(ColumnTable.named()
                .number("Desired", object -> number(object, "status.desiredNumberScheduled"))
                .number("Current", object -> number(object, "status.currentNumberScheduled"))
                .number("Ready", object -> number(object, "status.numberReady"))
                .number("Up-to-date", object -> number(object, "status.updatedNumberScheduled"))
                .number("Available", object -> number(object, "status.numberAvailable"))
                .text("Node Selector", object -> Cells.labels(object, "spec.template.spec.nodeSelector"))
                .age());
    }

    private static Columns jobs() {
        return selected(ColumnTable.named()
                .text("Status", BuiltInColumns::jobStatus)
                .text("Completions", BuiltInColumns::completions)
                .text("Duration", BuiltInColumns::duration)
                .age());
    }

    private static String jobStatus(ObjectNode job) {
        boolean isDeleted = !text(job, "metadata.deletionTimestamp").isEmpty();
        return JOB_STATES.stream()
                .filter(state -> state.equals("Terminating") ? isDeleted : Cells.hasCondition(job, state))
                .findFirst()
                .orElse("Running");
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

    private static Columns services() {
        return ColumnTable.named()
                .text("Type", value("spec.type"))
                .text(
                        "Cluster-IP",
                        service -> Json.texts(service, "spec", "clusterIPs").stream()
                                .findFirst()
                                .orElse(Cells.NONE))
                .text("External-IP", BuiltInColumns::externalAddress)
                .text("Port(s)", BuiltInColumns::ports)
                .age()
                .wide()
                .text("Selector", object -> Cells.labels(object, "spec.selector"));
    }

    private static String externalAddress(ObjectNode service) {
        String external = String.join(",", Json.texts(service, "spec", "externalIPs"));
        return switch (text(service, "spec.type")) {
            case "ExternalName" -> text(service, "spec.externalName");
            case "LoadBalancer" -> {
                String balanced = items(service, "status.loadBalancer.ingress").stream()
                        .map(entry -> text(entry, "ip").isEmpty() ? text(entry, "hostname") : text(entry, "ip"))
                        .sorted()
                        .distinct()
                        .collect(Collectors.joining(","));
                String both = balanced + (balanced.isEmpty() || external.isEmpty() ? "" : ",") + external;
                yield both.isEmpty() ? "<pending>" : both;
            }
            default -> external.isEmpty() ? Cells.NONE : external;
        };
    }

    private static String ports(ObjectNode service) {
        String ports = items(service, "spec.ports").stream()
                .map(port -> {
                    String node = number(port, "nodePort") > 0 ? ":" + number(port, "nodePort") : "";
                    return number(port, "port") + node + "/" + text(port, "protocol");
                })
                .collect(Collectors.joining(","));
        return ports.isEmpty() ? Cells.NONE : ports;
    }

    private static Columns nodes() {
        return ColumnTable.named()
                .text("Status", BuiltInColumns::nodeStatus)
                .text("Roles", BuiltInColumns::roles)
                .age()
                .text("Version", value("status.nodeInfo.kubeletVersion"))
                .wide()
                .text("Internal-IP", node -> address(node, "InternalIP"))
                .text("External-IP", node -> address(node, "ExternalIP"))
                .text("OS-Image", valueOr("status.nodeInfo.osImage", "<unknown>"))
                .text("Kernel-Version", valueOr("status.nodeInfo.kernelVersion", "<unknown>"))
                .text("Container-Runtime", valueOr("status.nodeInfo.containerRuntimeVersion", "<unknown>"));
    }

    private static String nodeStatus(ObjectNode node) {
        String status = "Unknown";
        for (JsonNode condition : items(node, "status.conditions")) {
            if (text(condition, "type").equals("Ready")) {
                status = text(condition, "status").equals("True") ? "Ready" : "NotReady";
            }
        }
        return Cells.flag(node, "spec.unschedulable") ? status + ",SchedulingDisabled" : status;
    }

    private static String roles(ObjectNode node) {
        TreeSet<String> roles = new TreeSet<>();
        Json.stringMap(node, "metadata", "labels").forEach((key, label) -> {
            if (key.startsWith(ROLE)) {
                roles.add(key.substring(ROLE.length()));
            } else if (key.equals("kubernetes.io/role")) {
                roles.add(label);
            }
        });
        roles.remove("");
        return roles.isEmpty() ? Cells.NONE : String.join(",", roles);
    }

    private static String address(ObjectNode node, String type) {
        return items(node, "status.addresses").stream()
                .filter(address -> text(address, "type").equals(type))
                .map(address -> text(address, "address"))
                .findFirst()
                .orElse(Cells.NONE);
    }

    private static Columns events() {
        return ColumnTable.empty()
                .since("Last Seen", BuiltInColumns::lastSeen)
                .text("Type", value("type"))
                .text("Reason", value("reason"))
                .text("Object", BuiltInColumns::target)
                .wide()
                .text("Subobject", event -> either(event, "involvedObject.fieldPath", "regarding.fieldPath"))
                .text("Source", BuiltInColumns::source)
                .narrow()
                .text("Message", event -> either(event, "message", "note").strip())
                .wide()
                .since("First Seen", BuiltInColumns::firstSeen)
                .count("Count", BuiltInColumns::count)
                .text("Name", value("metadata.name"));
    }

    private static String either(ObjectNode event, String one, String other) {
        String value = text(event, one);
        return value.isEmpty() ? text(event, other) : value;
    }

    private static String firstSeen(ObjectNode event) {
        String first = either(event, "firstTimestamp", "deprecatedFirstTimestamp");
        return first.isEmpty() ? text(event, "eventTime") : first;
    }

    private static String lastSeen(ObjectNode event) {
        if (Cells.at(event, "series") != null) {
            return text(event, "series.lastObservedTime");
        }
        String last = either(event, "lastTimestamp", "deprecatedLastTimestamp");
        return last.isEmpty() ? firstSeen(event) : last;
    }

    private static long count(ObjectNode event) {
        if (Cells.at(event, "series") != null) {
            return number(event, "series.count");
        }
        return Math.max(1, Math.max(number(event, "count"), number(event, "deprecatedCount")));
    }

    private static String target(ObjectNode event) {
        String kind = either(event, "involvedObject.kind", "regarding.kind").toLowerCase(Locale.ROOT);
        String name = either(event, "involvedObject.name", "regarding.name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String source(ObjectNode event) {
        String component = either(event, "source.component", "reportingComponent");
        String controller = component.isEmpty() ? text(event, "reportingController") : component;
        String instance = either(event, "source.host", "reportingInstance");
        return instance.isEmpty() ? controller : controller + ", " + instance;
    }
}
