package io.github.reconciler4j.test.server.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;

/** Network policies: who may speak with whom. */
final class NetworkPolicyRules {
    private NetworkPolicyRules() {}

    static void check(JsonNode spec, FieldRules rules) {
        rules.selector("spec.podSelector", spec.path("podSelector"));
        for (String way : new String[] {"ingress", "egress"}) {
            for (int i = 0; i < spec.path(way).size(); i++) {
                JsonNode rule = spec.path(way).path(i);
                String at = "spec." + way + "[" + i + "]";
                for (int j = 0; j < rule.path("ports").size(); j++) {
                    port(rule.path("ports").path(j), at + ".ports[" + j + "]", rules);
                }
                String side = way.equals("ingress") ? "from" : "to";
                for (int j = 0; j < rule.path(side).size(); j++) {
                    peer(rule.path(side).path(j), at + "." + side + "[" + j + "]", rules);
                }
            }
        }
        JsonNode types = spec.path("policyTypes");
        if (types.size() > 2) {
            rules.invalid("spec.policyTypes", types, "may not specify more than two policyTypes");
            return;
        }
        for (int i = 0; i < types.size(); i++) {
            rules.oneOf("spec.policyTypes[" + i + "]", types.path(i), "Ingress", "Egress");
        }
    }

    private static void port(JsonNode port, String path, FieldRules rules) {
        rules.oneOf(path + ".protocol", port.path("protocol"), "TCP", "UDP", "SCTP");
        JsonNode number = port.path("port");
        rules.port(path + ".port", number);
        JsonNode end = port.path("endPort");
        if (!end.isNumber()) {
            return;
        }
        if (!FieldRules.isSet(number)) {
            rules.invalid(path + ".endPort", end, "may not be specified when `port` is not specified");
        } else if (!number.isNumber()) {
            rules.invalid(path + ".endPort", end, "may not be specified when `port` is non-numeric");
        } else if (end.asLong() < number.asLong()) {
            rules.invalid(path + ".endPort", end, "must be greater than or equal to `port`");
        }
    }

    private static void peer(JsonNode peer, String path, FieldRules rules) {
        JsonNode block = peer.path("ipBlock");
        boolean selects = peer.has("podSelector") || peer.has("namespaceSelector");
        rules.selector(path + ".podSelector", peer.path("podSelector"));
        rules.selector(path + ".namespaceSelector", peer.path("namespaceSelector"));
        if (block.isObject()) {
            block(block, path + ".ipBlock", rules);
        }
        if (!selects && !block.isObject()) {
            rules.required(path, "must specify a peer");
        } else if (selects && block.isObject()) {
            rules.forbidden(path, "may not specify both ipBlock and another peer");
        }
    }

    private static void block(JsonNode block, String path, FieldRules rules) {
        String whole = block.path("cidr").asText();
        if (whole.isEmpty()) {
            rules.required(path + ".cidr", "");
            return;
        }
        boolean valid = range(block.path("cidr"), path + ".cidr", rules);
        for (int i = 0; i < block.path("except").size(); i++) {
            JsonNode except = block.path("except").path(i);
            String at = path + ".except[" + i + "]";
            if (range(except, at, rules) && valid && !Addresses.isInside(except.asText(), whole)) {
                rules.invalid(at, except, "must be a strict subset of `cidr`");
            }
        }
    }

    private static boolean range(JsonNode range, String path, FieldRules rules) {
        boolean valid = Addresses.isRange(range.asText());
        if (!valid) {
            rules.invalid(path, range, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        }
        return valid;
    }
}
