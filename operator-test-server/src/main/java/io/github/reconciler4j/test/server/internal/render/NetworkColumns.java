package io.github.reconciler4j.test.server.internal.render;

import static io.github.reconciler4j.test.server.internal.render.Cells.items;
import static io.github.reconciler4j.test.server.internal.render.Cells.number;
import static io.github.reconciler4j.test.server.internal.render.Cells.text;
import static io.github.reconciler4j.test.server.internal.render.Cells.value;
import static io.github.reconciler4j.test.server.internal.render.Cells.valueOr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Columns of services and what belongs to them. */
final class NetworkColumns {
    private static final int MOST = 3;

    private NetworkColumns() {}

    static void addTo(Map<String, Columns> all) {
        all.put("services", services());
        all.put("ingresses.networking.k8s.io", ingresses());
        all.put("ingressclasses.networking.k8s.io", ingressClasses());
        all.put(
                "networkpolicies.networking.k8s.io",
                ColumnTable.named()
                        .text("Pod-Selector", object -> Cells.selector(object, "spec.podSelector"))
                        .age());
        all.put(
                "endpoints",
                ColumnTable.named().text("Endpoints", NetworkColumns::endpoints).age());
        all.put("endpointslices.discovery.k8s.io", slices());
    }

    private static Columns services() {
        return ColumnTable.named()
                .text("Type", value("spec.type"))
                .text("Cluster-IP", NetworkColumns::clusterAddress)
                .text("External-IP", NetworkColumns::externalAddress)
                .text("Port(s)", NetworkColumns::ports)
                .age()
                .wide()
                .text("Selector", object -> Cells.labels(object, "spec.selector"));
    }

    private static String clusterAddress(ObjectNode service) {
        List<String> addresses = Json.texts(service, "spec", "clusterIPs");
        return addresses.isEmpty() ? Cells.NONE : addresses.get(0);
    }

    private static String externalAddress(ObjectNode service) {
        String external = String.join(",", Json.texts(service, "spec", "externalIPs"));
        return switch (text(service, "spec.type")) {
            case "ClusterIP", "NodePort" -> external.isEmpty() ? Cells.NONE : external;
            case "ExternalName" -> text(service, "spec.externalName");
            case "LoadBalancer" -> {
                String balanced = balancer(service);
                String both = balanced + (balanced.isEmpty() || external.isEmpty() ? "" : ",") + external;
                yield both.isEmpty() ? "<pending>" : both;
            }
            default -> "<unknown>";
        };
    }

    private static String balancer(ObjectNode object) {
        return items(object, "status.loadBalancer.ingress").stream()
                .map(entry -> text(entry, "ip").isEmpty() ? text(entry, "hostname") : text(entry, "ip"))
                .filter(address -> !address.isEmpty())
                .sorted()
                .distinct()
                .collect(Collectors.joining(","));
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

    private static Columns ingresses() {
        return ColumnTable.named()
                .text("Class", valueOr("spec.ingressClassName", Cells.NONE))
                .text("Hosts", NetworkColumns::hosts)
                .text("Address", NetworkColumns::balancer)
                .text("Ports", object -> Cells.size(object, "spec.tls") > 0 ? "80, 443" : "80")
                .age();
    }

    private static String hosts(ObjectNode ingress) {
        List<String> hosts = items(ingress, "spec.rules").stream()
                .map(rule -> text(rule, "host"))
                .filter(host -> !host.isEmpty())
                .toList();
        return Cells.some(hosts, MOST, "*");
    }

    private static Columns ingressClasses() {
        return ColumnTable.named()
                .text("Controller", value("spec.controller"))
                .text("Parameters", NetworkColumns::parameters)
                .age();
    }

    private static String parameters(ObjectNode type) {
        JsonNode parameters = Cells.at(type, "spec.parameters");
        if (parameters == null) {
            return Cells.NONE;
        }
        String group = text(parameters, "apiGroup");
        return text(parameters, "kind") + (group.isEmpty() ? "" : "." + group) + "/" + text(parameters, "name");
    }

    private static String endpoints(ObjectNode endpoints) {
        List<String> all = new ArrayList<>();
        for (JsonNode subset : items(endpoints, "subsets")) {
            List<JsonNode> ports = items(subset, "ports");
            for (JsonNode address : items(subset, "addresses")) {
                String ip = text(address, "ip");
                if (ports.isEmpty()) {
                    all.add(ip);
                }
                ports.forEach(port -> all.add(ip + ":" + number(port, "port")));
            }
        }
        return Cells.some(all, MOST, Cells.NONE);
    }

    private static Columns slices() {
        return ColumnTable.named()
                .text("AddressType", value("addressType"))
                .text("Ports", object -> Cells.some(slicePorts(object), MOST, Cells.UNSET))
                .text("Endpoints", object -> Cells.some(sliceAddresses(object), MOST, Cells.UNSET))
                .age();
    }

    private static List<String> slicePorts(ObjectNode slice) {
        return items(slice, "ports").stream()
                .map(port -> {
                    String number = text(port, "port");
                    String name = text(port, "name");
                    return !number.isEmpty() ? number : name.isEmpty() ? "*" : name;
                })
                .toList();
    }

    private static List<String> sliceAddresses(ObjectNode slice) {
        return items(slice, "endpoints").stream()
                .flatMap(endpoint -> Json.texts(endpoint, "addresses").stream())
                .toList();
    }
}
