package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Values that the server fills into services: addresses from {@code 10.96.0.0/12} and node ports from 30000 on, each given
 * out once per JVM until all were.
 */
final class ServiceDefaults {
    private static final AtomicInteger ADDRESSES = new AtomicInteger();
    private static final AtomicInteger PORTS = new AtomicInteger();
    private static final int FIRST_ADDRESS = 10;
    private static final int ADDRESS_COUNT = (1 << 20) - 20;
    private static final int FIRST_PORT = 30_000;
    private static final int PORT_COUNT = 2_768;
    private static final int BYTE = 256;

    private ServiceDefaults() {}

    static void complete(ObjectNode service) {
        for (JsonNode port : Json.items(service, "spec", "ports")) {
            JsonNode target = port.get("targetPort");
            boolean unset = target == null
                    || target.asText().isEmpty()
                    || target.asText().equals("0");
            if (unset && port.has("port")) {
                ((ObjectNode) port).set("targetPort", port.get("port"));
            }
        }
    }

    /** Fill in addresses and node ports that are still missing. */
    static void allocate(ObjectNode service) {
        ObjectNode spec = Json.child(service, "spec");
        String kind = Json.text(spec, "type");
        if (kind.equals("ExternalName")) {
            return;
        }
        addresses(spec);
        boolean exposed = kind.equals("NodePort")
                || kind.equals("LoadBalancer")
                        && spec.path("allocateLoadBalancerNodePorts").asBoolean(true);
        if (exposed) {
            for (JsonNode port : Json.items(spec, "ports")) {
                if (!port.has("nodePort")) {
                    ((ObjectNode) port).put("nodePort", FIRST_PORT + PORTS.getAndIncrement() % PORT_COUNT);
                }
            }
        }
        boolean local = Json.text(spec, "externalTrafficPolicy").equals("Local");
        if (kind.equals("LoadBalancer") && local && !spec.has("healthCheckNodePort")) {
            spec.put("healthCheckNodePort", FIRST_PORT + PORTS.getAndIncrement() % PORT_COUNT);
        }
    }

    private static void addresses(ObjectNode spec) {
        List<String> given = Json.texts(spec, "clusterIPs");
        String address = Json.text(spec, "clusterIP");
        if (address.isEmpty()) {
            address = given.isEmpty() ? nextAddress() : given.get(0);
            spec.put("clusterIP", address);
        }
        if (given.isEmpty()) {
            spec.putArray("clusterIPs").add(address);
        }
        if (!spec.has("ipFamilies")) {
            ArrayNode families = spec.putArray("ipFamilies").add("IPv4");
            boolean free = address.equals("None") && Json.objectAt(spec, "selector") == null;
            if (free && Json.text(spec, "ipFamilyPolicy").isEmpty()) {
                spec.put("ipFamilyPolicy", "RequireDualStack");
                families.add("IPv6");
            }
        }
        if (!spec.has("ipFamilyPolicy")) {
            spec.put("ipFamilyPolicy", "SingleStack");
        }
    }

    private static String nextAddress() {
        int number = FIRST_ADDRESS + ADDRESSES.getAndIncrement() % ADDRESS_COUNT;
        return "10." + (96 + number / (BYTE * BYTE)) + "." + number / BYTE % BYTE + "." + number % BYTE;
    }

    /** Give an updated service the addresses and node ports that it had, where it names none. */
    static void carryOver(ObjectNode service, ObjectNode before) {
        ObjectNode spec = Json.child(service, "spec");
        ObjectNode old = Json.child(before, "spec");
        if (Json.text(spec, "type").equals("ExternalName")) {
            return;
        }
        if (Json.text(spec, "clusterIP").isEmpty()
                && Json.texts(spec, "clusterIPs").isEmpty()) {
            for (String field : List.of("clusterIP", "clusterIPs")) {
                Json.setOrRemove(spec, field, old.get(field));
            }
        }
        for (String field : List.of("ipFamilies", "ipFamilyPolicy", "healthCheckNodePort")) {
            if (!spec.has(field)) {
                Json.setOrRemove(spec, field, old.get(field));
            }
        }
        for (JsonNode port : Json.items(spec, "ports")) {
            if (!port.has("nodePort")) {
                nodePort((ObjectNode) port, old);
            }
        }
        allocate(service);
    }

    private static void nodePort(ObjectNode port, ObjectNode old) {
        for (JsonNode other : Json.items(old, "ports")) {
            if (other.has("nodePort")
                    && Json.same(other.path("port"), port.path("port"))
                    && Json.same(other.path("protocol"), port.path("protocol"))) {
                port.set("nodePort", other.get("nodePort"));
            }
        }
    }
}
