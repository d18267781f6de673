package io.github.reconciler4j.test.server.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Names;
import java.util.List;

/** Ingresses: hosts, paths and where they lead. */
final class IngressRules {
    private static final List<String> ILLEGAL = List.of("//", "/./", "/../", "%2f", "%2F");

    private IngressRules() {}

    static void check(JsonNode spec, FieldRules rules) {
        JsonNode backend = spec.path("defaultBackend");
        if (backend.isObject()) {
            backend(backend, "spec.defaultBackend", rules);
        } else if (spec.path("rules").isEmpty()) {
            rules.add(new FieldError(
                    "spec",
                    "FieldValueInvalid",
                    "Invalid value: null: either `defaultBackend` or `rules` must be specified"));
        }
        for (int i = 0; i < spec.path("tls").size(); i++) {
            JsonNode tls = spec.path("tls").path(i);
            for (int j = 0; j < tls.path("hosts").size(); j++) {
                host(tls.path("hosts").path(j), "spec.tls[" + i + "].hosts[" + j + "]", rules);
            }
            rules.subdomain("spec.tls[" + i + "].secretName", tls.path("secretName"));
        }
        for (int i = 0; i < spec.path("rules").size(); i++) {
            rule(spec.path("rules").path(i), "spec.rules[" + i + "]", rules);
        }
        rules.subdomain("spec.ingressClassName", spec.path("ingressClassName"));
    }

    private static void rule(JsonNode rule, String path, FieldRules rules) {
        JsonNode host = rule.path("host");
        if (Addresses.isIp(host.asText())) {
            rules.invalid(path + ".host", host, "must be a DNS name, not an IP address");
        } else if (FieldRules.isSet(host)) {
            host(host, path + ".host", rules);
        }
        JsonNode paths = rule.path("http").path("paths");
        for (int i = 0; i < paths.size(); i++) {
            path(paths.path(i), path + ".http.paths[" + i + "]", rules);
        }
    }

    private static void host(JsonNode host, String path, FieldRules rules) {
        String name = host.asText();
        if (!name.startsWith("*.")) {
            rules.subdomain(path, host);
        } else if (!Names.dnsSubdomain(name.substring(2)).isEmpty()) {
            rules.invalid(
                    path,
                    host,
                    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must"
                            + " consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric"
                            + " character (e.g. '*.example.com', regex used for validation is"
                            + " '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
        }
    }

    private static void path(JsonNode entry, String path, FieldRules rules) {
        JsonNode text = entry.path("path");
        String type = entry.path("pathType").asText();
        if (type.equals("Exact") || type.equals("Prefix")) {
            if (!text.asText().startsWith("/")) {
                rules.invalid(path + ".path", text, "must be an absolute path");
            }
            for (String part : ILLEGAL) {
                if (text.asText().contains(part)) {
                    rules.invalid(path + ".path", text, "must not contain '" + part + "'");
                }
            }
        }
        backend(entry.path("backend"), path + ".backend", rules);
    }

    private static void backend(JsonNode backend, String path, FieldRules rules) {
        JsonNode service = backend.path("service");
        boolean resource = backend.has("resource");
        if (resource && service.isObject()) {
            rules.invalid(path, "", "cannot set both resource and service backends");
        } else if (!resource && !service.isObject()) {
            rules.invalid(path, "", "resource or service backend is required");
        } else if (!resource) {
            rules.label(path + ".service.name", service.path("name"));
            JsonNode port = service.path("port");
            boolean named = FieldRules.isSet(port.path("name"));
            boolean numbered = port.path("number").asInt() != 0;
            if (named && numbered) {
                rules.invalid(path, "", "cannot set both port name & port number");
            } else if (!named && !numbered) {
                rules.required(path, "port name or number is required");
            } else {
                rules.port(path + ".service.port." + (named ? "name" : "number"), port.path(named ? "name" : "number"));
            }
        }
    }
}
