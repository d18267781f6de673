package io.github.reconciler4j.test.server.internal.render;

import static io.github.reconciler4j.test.server.internal.render.Cells.items;
import static io.github.reconciler4j.test.server.internal.render.Cells.number;
import static io.github.reconciler4j.test.server.internal.render.Cells.text;
import static io.github.reconciler4j.test.server.internal.render.Cells.value;
import static io.github.reconciler4j.test.server.internal.render.Cells.valueOr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Columns of nodes, namespaces, events, configuration and leases. */
final class CoreColumns {
    private static final String ROLE = "node-role.kubernetes.io/";

    private CoreColumns() {}

    static void addTo(Map<String, Columns> all) {
        all.put("nodes", nodes());
        all.put(
                "namespaces",
                ColumnTable.named().text("Status", value("status.phase")).age());
        all.put(
                "secrets",
                ColumnTable.named()
                        .text("Type", value("type"))
                        .count("Data", object -> Cells.size(object, "data"))
                        .age());
        all.put(
                "configmaps",
                ColumnTable.named()
                        .count("Data", object -> Cells.size(object, "data") + Cells.size(object, "binaryData"))
                        .age());
        all.put("serviceaccounts", ColumnTable.named().age());
        all.put(
                "leases.coordination.k8s.io",
                ColumnTable.named().text("Holder", value("spec.holderIdentity")).age());
        all.put("events", events());
        all.put("events.events.k8s.io", events());
    }

    private static Columns nodes() {
        return ColumnTable.named()
                .text("Status", CoreColumns::nodeStatus)
                .text("Roles", CoreColumns::roles)
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
                .since("Last Seen", CoreColumns::lastSeen)
                .text("Type", value("type"))
                .text("Reason", value("reason"))
                .text("Object", CoreColumns::target)
                .wide()
                .text("Subobject", event -> either(event, "involvedObject.fieldPath", "regarding.fieldPath"))
                .text("Source", CoreColumns::source)
                .narrow()
                .text("Message", event -> either(event, "message", "note").strip())
                .wide()
                .since("First Seen", CoreColumns::firstSeen)
                .count("Count", CoreColumns::count)
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
