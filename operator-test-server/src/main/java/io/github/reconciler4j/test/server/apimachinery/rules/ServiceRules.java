package io.github.reconciler4j.test.server.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;

/** Services: ports and addresses. */
final class ServiceRules {
    private ServiceRules() {}

    static void check(JsonNode spec, FieldRules rules) {
        String type = spec.path("type").asText();
        JsonNode ports = spec.path("ports");
        for (int i = 0; i < ports.size(); i++) {
            String at = "spec.ports[" + i + "]";
            rules.port(at + ".targetPort", ports.path(i).path("targetPort"));
            if (type.equals("ClusterIP") && ports.path(i).path("nodePort").asInt() != 0) {
                rules.forbidden(at + ".nodePort", "may not be used when `type` is 'ClusterIP'");
            }
        }
        rules.labels("spec.selector", spec.path("selector"));
        address(spec.path("clusterIP"), rules);
        if (type.equals("ExternalName")) {
            rules.subdomain("spec.externalName", spec.path("externalName"));
        }
        boolean outside = type.equals("NodePort")
                || type.equals("LoadBalancer")
                || !spec.path("externalIPs").isEmpty();
        JsonNode policy = spec.path("externalTrafficPolicy");
        if (FieldRules.isSet(policy) && !outside) {
            rules.invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services");
        }
        for (int i = 0; i < spec.path("ipFamilies").size(); i++) {
            rules.oneOf("spec.ipFamilies[" + i + "]", spec.path("ipFamilies").path(i), "IPv4", "IPv6");
        }
    }

    private static void address(JsonNode address, FieldRules rules) {
        String text = address.asText();
        if (!text.isEmpty() && !text.equals("None") && !Addresses.isIp(text)) {
            rules.invalid(
                    "spec.clusterIPs[0]", address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
    }
}
