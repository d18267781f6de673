package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInTables;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of the built-in kinds that people look at beside an operator, from the table {@code columns.tsv}. Other
 * kinds have a name and a time.
 */
final class BuiltInColumns {
    private static final String NONE = "<none>";
    private static final String ROLE = "node-role.kubernetes.io/";
    private static final List<String> JOB_STATES =
            List.of("Complete", "Failed", "Terminating", "Suspended", "FailureTarget", "SuccessCriteriaMet");
    private static final List<Column> PLAIN = List.of(
            Column.NAME,
            new Column(
                    "Created At",
                    "date",
                    "",
                    "CreationTimestamp is the time at which the server created it.",
                    0,
                    (object, now) -> TextNode.valueOf(text(object, "metadata.creationTimestamp"))));
    private static final Map<String, BiFunction<ObjectNode, Instant, String>> FUNCTIONS = Map.ofEntries(
            function("ready", object -> number(object, "status.readyReplicas") + "/" + number(object, "spec.replicas")),
            function("containers", object -> joined(object, "name")),
            function("images", object -> joined(object, "image")),
            function("selector", object -> selector(object, "spec.selector")),
            function("nodeSelector", object -> labels(object, "spec.template.spec.nodeSelector")),
            function("serviceSelector", object -> labels(object, "spec.selector")),
            function("gates", BuiltInColumns::gates),
            function("podReady", PodCells::ready),
            function("podStatus", PodCells::status),
            Map.entry("podRestarts", PodCells::restarts),
            function("jobStatus", BuiltInColumns::jobStatus),
            function("completions", BuiltInColumns::completions),
            Map.entry("duration", BuiltInColumns::duration),
            function("externalAddress", BuiltInColumns::externalAddress),
            function("ports", BuiltInColumns::ports),
            function("nodeStatus", BuiltInColumns::nodeStatus),
            function("roles", BuiltInColumns::roles),
            function("internalAddress", node -> address(node, "InternalIP")),
            function("externalNodeAddress", node -> address(node, "ExternalIP")),
            function("target", BuiltInColumns::target),
            function("source", BuiltInColumns::source),
            function("phase", ClusterCells::phase),
            function("claim", ClusterCells::claim),
            function("capacity", ClusterCells::capacity),
            function("accessModes", volume -> ClusterCells.accessModes(volume, "spec.accessModes")),
            function("claimedModes", ClusterCells::claimedModes),
            function("hosts", ClusterCells::hosts),
            function("ingressAddress", ClusterCells::ingressAddress),
            function("ingressPorts", ClusterCells::ingressPorts),
            function("scaleTarget", ClusterCells::scaleTarget),
            function("metrics", ClusterCells::metrics),
            function("minAvailable", budget -> ClusterCells.wish(budget, "spec.minAvailable")),
            function("maxUnavailable", budget -> ClusterCells.wish(budget, "spec.maxUnavailable")),
            function(
                    "active",
                    job -> Integer.toString(items(job, "status.active").size())),
            Map.entry("lastSchedule", ClusterCells::lastSchedule),
            function("podSelector", policy -> selector(policy, "spec.podSelector")),
            function("jobSelector", job -> selector(job, "spec.jobTemplate.spec.selector")),
            function("role", binding -> text(binding, "roleRef.kind") + "/" + text(binding, "roleRef.name")),
            function("podLabels", template -> labels(template, "template.metadata.labels")),
            function("requests", quota -> ClusterCells.amounts(quota, false)),
            function("limits", quota -> ClusterCells.amounts(quota, true)),
            function("addresses", ClusterCells::addresses),
            function("sliceAddresses", ClusterCells::sliceAddresses),
            function("slicePorts", ClusterCells::slicePorts),
            function("parameters", ClusterCells::parameters),
            function("controller", ClusterCells::controller),
            function("users", binding -> ClusterCells.subjects(binding, "User")),
            function("groups", binding -> ClusterCells.subjects(binding, "Group")),
            function("accounts", binding -> ClusterCells.subjects(binding, "ServiceAccount")));
    private static final Map<String, String> TYPES =
            Map.of("number", "integer", "size of", "integer", "flag", "boolean", "bool", "boolean");
    private static final Map<String, List<Column>> COLUMNS = new HashMap<>();

    static {
        BuiltInTables.read(BuiltInColumns.class, "columns.tsv", row -> {
            List<Column> columns = COLUMNS.computeIfAbsent(
                    row[0], kind -> new ArrayList<>(kind.equals("events") ? List.of() : List.of(Column.NAME)));
            boolean isWide = row[1].startsWith("+");
            String name = isWide ? row[1].substring(1) : row[1];
            String type = TYPES.getOrDefault(row[2], "string");
            String format = name.equals("Name") || name.equals("Attacher") ? "name" : "";
            columns.add(new Column(name, type, format, "", isWide ? 1 : 0, cell(row[2], row[3])));
        });
    }

    private BuiltInColumns() {}

    static List<Column> of(ResourceType type) {
        return COLUMNS.getOrDefault(
                type.plural().equals("events") ? "events" : type.id().toString(), PLAIN);
    }

    private static Map.Entry<String, BiFunction<ObjectNode, Instant, String>> function(
            String name, Function<ObjectNode, String> value) {
        return Map.entry(name, (object, now) -> value.apply(object));
    }

    private static Column.Cell cell(String form, String source) {
        BiFunction<ObjectNode, Instant, String> value =
                FUNCTIONS.getOrDefault(source, (object, now) -> first(object, source));
        return switch (form) {
            case "since" -> (object, now) -> TextNode.valueOf(Column.Ages.since(value.apply(core(object), now), now));
            case "size", "size of" -> (object, now) -> LongNode.valueOf(size(object, source));
            case "bool", "bool as text" ->
                (object, now) -> BooleanNode.valueOf(text(object, source).equals("true"));
            case "number", "count" ->
                (object, now) -> {
                    String number = value.apply(core(object), now);
                    return LongNode.valueOf(number.isEmpty() ? 0 : Long.parseLong(number));
                };
            case "flag" ->
                (object, now) -> TextNode.valueOf(text(object, source).equals("true") ? "True" : "False");
            default ->
                (object, now) -> TextNode.valueOf(value.apply(core(object), now).strip());
        };
    }

    /** Return an event in the form of the core group, and other objects as they are. */
    private static ObjectNode core(ObjectNode object) {
        if (!text(object, "apiVersion").startsWith("events.k8s.io/")) {
            return object;
        }
        ObjectNode event = object.deepCopy();
        EventForms.toCore(event);
        return event;
    }

    private static String first(ObjectNode object, String source) {
        String[] parts = source.split("=", 2);
        for (String path : parts[0].split("\\|")) {
            String value = text(object, path);
            if (!value.isEmpty() && !value.equals("0")) {
                return value;
            }
        }
        return parts.length > 1 ? parts[1] : "";
    }

    private static long size(ObjectNode object, String fields) {
        long size = 0;
        for (String field : fields.split(",")) {
            size += Json.path(object, field.split("\\.")).size();
        }
        return size;
    }

    private static @Nullable JsonNode at(@Nullable JsonNode object, String path) {
        return Json.at(object, path.split("\\."));
    }

    static String text(@Nullable JsonNode object, String path) {
        JsonNode value = at(object, path);
        return value == null ? "" : value.asText();
    }

    private static long number(@Nullable JsonNode object, String path) {
        return Json.number(object, 0, path.split("\\."));
    }

    static List<JsonNode> items(@Nullable JsonNode object, String path) {
        return Json.items(object, path.split("\\."));
    }

    private static String joined(ObjectNode object, String field) {
        return Stream.of("spec.", "spec.jobTemplate.spec.", "")
                .map(path -> path + "template.spec.containers")
                .flatMap(path -> items(object, path).stream())
                .map(item -> text(item, field))
                .collect(Collectors.joining(","));
    }

    private static String labels(ObjectNode object, String path) {
        return orNone(Json.stringMap(object, path.split("\\.")).entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(",")));
    }

    private static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    private static String selector(ObjectNode object, String path) {
        JsonNode selector = at(object, path);
        try {
            return selector == null ? NONE : orNone(LabelSelector.of(selector).toString());
        } catch (StatusException e) {
            return "<error>";
        }
    }

    private static boolean hasCondition(JsonNode object, String type) {
        return items(object, "status.conditions").stream()
                .anyMatch(condition -> text(condition, "type").equals(type)
                        && text(condition, "status").equals("True"));
    }

    private static String gates(ObjectNode pod) {
        List<JsonNode> gates = items(pod, "spec.readinessGates");
        long open = gates.stream()
                .filter(gate -> hasCondition(pod, text(gate, "conditionType")))
                .count();
        return gates.isEmpty() ? NONE : open + "/" + gates.size();
    }

    private static String jobStatus(ObjectNode job) {
        boolean isDeleted = !text(job, "metadata.deletionTimestamp").isEmpty();
        return JOB_STATES.stream()
                .filter(state -> state.equals("Terminating") ? isDeleted : hasCondition(job, state))
                .findFirst()
                .orElse("Running");
    }

    private static String completions(ObjectNode job) {
        long succeeded = number(job, "status.succeeded");
        if (at(job, "spec.completions") != null) {
            return succeeded + "/" + number(job, "spec.completions");
        }
        long parallelism = number(job, "spec.parallelism");
        return succeeded + "/1" + (parallelism > 1 ? " of " + parallelism : "");
    }

    private static String duration(ObjectNode job, Instant now) {
        String start = text(job, "status.startTime");
        if (start.isEmpty()) {
            return "";
        }
        String end = text(job, "status.completionTime");
        Instant until = end.isEmpty() ? now : Instant.parse(end);
        return Column.Ages.human(Duration.between(Instant.parse(start), until).toSeconds());
    }

    private static String externalAddress(ObjectNode service) {
        List<String> addresses = new ArrayList<>();
        switch (text(service, "spec.type")) {
            case "ExternalName" -> {
                return text(service, "spec.externalName");
            }
            case "LoadBalancer" ->
                items(service, "status.loadBalancer.ingress").stream()
                        .map(entry -> first((ObjectNode) entry, "ip|hostname"))
                        .sorted()
                        .distinct()
                        .forEach(addresses::add);
            default -> {}
        }
        addresses.addAll(Json.texts(service, "spec", "externalIPs"));
        boolean isPending = addresses.isEmpty() && text(service, "spec.type").equals("LoadBalancer");
        return isPending ? "<pending>" : orNone(String.join(",", addresses));
    }

    private static String ports(ObjectNode service) {
        return orNone(items(service, "spec.ports").stream()
                .map(port -> {
                    String node = number(port, "nodePort") > 0 ? ":" + number(port, "nodePort") : "";
                    return number(port, "port") + node + "/" + text(port, "protocol");
                })
                .collect(Collectors.joining(",")));
    }

    private static String nodeStatus(ObjectNode node) {
        String status = items(node, "status.conditions").stream()
                .filter(condition -> text(condition, "type").equals("Ready"))
                .map(condition -> text(condition, "status").equals("True") ? "Ready" : "NotReady")
                .findFirst()
                .orElse("Unknown");
        return node.at("/spec/unschedulable").asBoolean() ? status + ",SchedulingDisabled" : status;
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
        return orNone(String.join(",", roles));
    }

    private static String address(ObjectNode node, String type) {
        return items(node, "status.addresses").stream()
                .filter(address -> text(address, "type").equals(type))
                .map(address -> text(address, "address"))
                .findFirst()
                .orElse(NONE);
    }

    private static String target(ObjectNode event) {
        String kind = text(event, "involvedObject.kind").toLowerCase(Locale.ROOT);
        String name = text(event, "involvedObject.name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String source(ObjectNode event) {
        String component = first(event, "source.component|reportingComponent");
        String instance = first(event, "source.host|reportingInstance");
        return instance.isEmpty() ? component : component + ", " + instance;
    }

    /** The cells of pods that sum up their containers. */
    private static final class PodCells {
        private PodCells() {}

        private static List<JsonNode> containers(ObjectNode pod) {
            return items(pod, "status.containerStatuses");
        }

        private static boolean runs(JsonNode status) {
            return status.path("ready").asBoolean() && at(status, "state.running") != null;
        }

        static String ready(ObjectNode pod) {
            long ready = containers(pod).stream().filter(PodCells::runs).count();
            return ready + "/" + items(pod, "spec.containers").size();
        }

        static String restarts(ObjectNode pod, Instant now) {
            long restarts = 0;
            String latest = "";
            for (JsonNode status : containers(pod)) {
                restarts += number(status, "restartCount");
                String end = text(status, "lastState.terminated.finishedAt");
                latest = end.compareTo(latest) > 0 ? end : latest;
            }
            return restarts == 0 || latest.isEmpty()
                    ? Long.toString(restarts)
                    : restarts + " (" + Column.Ages.since(latest, now) + " ago)";
        }

        static String status(ObjectNode pod) {
            String phase = text(pod, "status.phase");
            boolean isOver = List.of("Succeeded", "Failed").contains(phase);
            if (at(pod, "metadata.deletionTimestamp") != null && !isOver) {
                return text(pod, "status.reason").equals("NodeLost") ? "Unknown" : "Terminating";
            }
            String initial = initial(pod);
            return initial.isEmpty() ? ofContainers(pod, first(pod, "status.reason|status.phase")) : initial;
        }

        private static String initial(ObjectNode pod) {
            List<JsonNode> statuses = items(pod, "status.initContainerStatuses");
            for (int i = 0; i < statuses.size(); i++) {
                JsonNode status = statuses.get(i);
                boolean isTerminated = at(status, "state.terminated") != null;
                boolean isDone = isTerminated && number(status, "state.terminated.exitCode") == 0;
                if (!isDone && !status.path("started").asBoolean()) {
                    String waiting = text(status, "state.waiting.reason");
                    boolean isStarting = waiting.isEmpty() || waiting.equals("PodInitializing");
                    String progress =
                            i + "/" + items(pod, "spec.initContainers").size();
                    return "Init:" + (isTerminated ? end(status) : isStarting ? progress : waiting);
                }
            }
            return "";
        }

        private static String end(JsonNode status) {
            String reason = text(status, "state.terminated.reason");
            return reason.isEmpty() ? "ExitCode:" + number(status, "state.terminated.exitCode") : reason;
        }

        private static String ofContainers(ObjectNode pod, String own) {
            String reason = own;
            String error = "";
            boolean runs = false;
            List<JsonNode> statuses = containers(pod);
            for (int i = statuses.size() - 1; i >= 0; i--) {
                JsonNode status = statuses.get(i);
                String waiting = text(status, "state.waiting.reason");
                if (!waiting.isEmpty()) {
                    reason = waiting;
                } else if (at(status, "state.terminated") != null) {
                    reason = end(status);
                    error = number(status, "state.terminated.exitCode") != 0 ? reason : error;
                } else {
                    runs |= runs(status);
                }
            }
            if (!reason.equals("Completed")) {
                return reason;
            }
            if (runs && hasCondition(pod, "Ready")) {
                return "Running";
            }
            return !error.isEmpty() ? error : runs ? "NotReady" : "Completed";
        }
    }
}
