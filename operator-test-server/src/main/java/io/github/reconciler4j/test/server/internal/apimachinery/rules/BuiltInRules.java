package io.github.reconciler4j.test.server.internal.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.net.InetAddresses;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The validation of built-in kinds that operators create: workloads, Services, Ingresses, claims, disruption budgets,
 * ConfigMaps and Secrets. Errors have the fields and reasons of kube-apiserver. Stateless; safe for use by multiple
 * threads.
 */
public final class BuiltInRules {
    private static final Map<String, String[]> TEMPLATES = new HashMap<>();
    private static final Map<String, List<String>> SECRET_DATA = Map.of(
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"));
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");
    private static final int MAX_DATA = 1024 * 1024;
    private static final int CRON_FIELDS = 5;
    private static final int MAX_CRON_NAME = 52;

    static {
        TEMPLATES.put("pods", new String[0]);
        TEMPLATES.put("podtemplates", new String[] {"template"});
        for (String plural : List.of(
                "replicationcontrollers",
                "deployments.apps",
                "replicasets.apps",
                "statefulsets.apps",
                "daemonsets.apps",
                "jobs.batch")) {
            TEMPLATES.put(plural, new String[] {"spec", "template"});
        }
        TEMPLATES.put("cronjobs.batch", new String[] {"spec", "jobTemplate", "spec", "template"});
    }

    private BuiltInRules() {}

    /** Return the path of the pod template of a kind: empty for pods themselves, null for kinds without pods. */
    public static String @Nullable [] podTemplate(String resource) {
        return TEMPLATES.get(resource);
    }

    /** Check a label selector. */
    public static void checkSelector(String path, JsonNode selector, FieldErrors errors) {
        FieldRules.selector(path, selector, errors);
    }

    /**
     * Check an object.
     *
     * @param resource its plural, and its group after a dot if it has one
     * @param before the object before an update, null for a new one
     */
    public static List<FieldError> check(String resource, ObjectNode object, @Nullable ObjectNode before) {
        FieldErrors errors = new FieldErrors();
        FieldRules.check(object, errors);
        String[] template = podTemplate(resource);
        if (template != null) {
            PodRules.check(resource, object, template, errors);
        }
        checkKind(resource, object, errors);
        if (before != null) {
            ImmutableRules.check(resource, object, before, errors);
        }
        return errors;
    }

    private static void checkKind(String resource, ObjectNode object, FieldErrors errors) {
        JsonNode spec = object.path("spec");
        switch (resource) {
            case "services" -> service(spec, errors);
            case "configmaps" -> configMap(object, errors);
            case "secrets" -> secret(object, errors);
            case "ingresses.networking.k8s.io" -> ingress(spec, errors);
            case "poddisruptionbudgets.policy" -> budget(spec, errors);
            case "horizontalpodautoscalers.autoscaling" -> {
                if (spec.path("minReplicas").asLong(1)
                        > spec.path("maxReplicas").asLong()) {
                    errors.invalid("spec.maxReplicas", spec.path("maxReplicas"), "must not be less than minReplicas");
                }
            }
            case "deployments.apps" -> deployment(spec, errors);
            case "statefulsets.apps" -> {
                if (!isUpdateStrategy(spec)) {
                    errors.invalid("spec.updateStrategy", spec.path("updateStrategy"), "unknown type");
                }
            }
            case "daemonsets.apps" ->
                errors.oneOf("spec.updateStrategy", spec.at("/updateStrategy/type"), "RollingUpdate", "OnDelete");
            case "cronjobs.batch" -> cronJob(object, errors);
            case "persistentvolumeclaims" -> claim(spec, errors);
            case "roles.rbac.authorization.k8s.io" -> AccessRules.role(object, true, errors);
            case "clusterroles.rbac.authorization.k8s.io" -> AccessRules.role(object, false, errors);
            case "rolebindings.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io" ->
                AccessRules.binding(object, errors);
            default -> {}
        }
    }

    private static void budget(JsonNode spec, FieldErrors errors) {
        if (FieldErrors.isSet(spec.path("minAvailable")) && FieldErrors.isSet(spec.path("maxUnavailable"))) {
            errors.invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set");
        }
    }

    private static boolean isUpdateStrategy(JsonNode spec) {
        return List.of("RollingUpdate", "OnDelete")
                .contains(spec.at("/updateStrategy/type").asText());
    }

    private static void service(JsonNode spec, FieldErrors errors) {
        String type = spec.path("type").asText();
        String address = spec.path("clusterIP").asText();
        JsonNode name = spec.path("externalName");
        boolean isExternalName = type.equals("ExternalName");
        if (isExternalName && name.asText().isEmpty()) {
            errors.required("spec.externalName", "");
        } else if (isExternalName) {
            errors.invalid("spec.externalName", name.asText(), Names.dnsSubdomain(name.asText()));
        }
        if (type.equals("LoadBalancer") && address.equals("None")) {
            errors.invalid("spec.clusterIPs[0]", address, "may not be set to 'None' for LoadBalancer services");
        }
        if (!address.isEmpty() && !address.equals("None") && !InetAddresses.isInetAddress(address)) {
            errors.invalid("spec.clusterIPs[0]", address, "must be a valid IP address");
        }
        boolean isExternal = List.of("NodePort", "LoadBalancer").contains(type)
                || !spec.path("externalIPs").isEmpty();
        JsonNode policy = spec.path("externalTrafficPolicy");
        if (FieldErrors.isSet(policy) && !isExternal) {
            errors.invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services");
        }
        if (spec.path("ports").isEmpty() && !address.equals("None") && !isExternalName) {
            errors.required("spec.ports", "");
        }
        ports(spec.path("ports"), type, errors);
    }

    private static void ports(JsonNode ports, String type, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.path(i);
            String at = "spec.ports[" + i + "]";
            if (ports.size() > 1 && port.path("name").asText().isEmpty()) {
                errors.required(at + ".name", "");
            }
            if (!seen.add(port.path("port") + "/" + port.path("protocol"))) {
                errors.duplicate(at, port);
            }
            if (type.equals("ClusterIP") && port.path("nodePort").asInt() != 0) {
                errors.forbidden(at + ".nodePort", "may not be used when `type` is 'ClusterIP'");
            }
        }
    }

    private static void configMap(ObjectNode map, FieldErrors errors) {
        map.path("binaryData").fieldNames().forEachRemaining(key -> {
            if (map.path("data").has(key)) {
                errors.invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
            }
        });
        data(map, "[]", List.of("data", "binaryData"), errors);
    }

    private static void secret(ObjectNode secret, FieldErrors errors) {
        String type = Json.text(secret, "type");
        JsonNode data = secret.path("data");
        SECRET_DATA.getOrDefault(type, List.of()).stream()
                .filter(key -> !data.has(key))
                .forEach(key -> errors.required("data[" + key + "]", ""));
        if (type.equals("kubernetes.io/basic-auth") && !data.has("username") && !data.has("password")) {
            errors.required("data[username]", "");
            errors.required("data[password]", "");
        }
        String account = "kubernetes.io/service-account.name";
        if (type.equals("kubernetes.io/service-account-token")
                && Json.text(secret, "metadata", "annotations", account).isEmpty()) {
            errors.required("metadata.annotations[" + account + "]", "");
        }
        data(secret, "data", List.of("data"), errors);
    }

    private static void data(ObjectNode object, String whole, List<String> fields, FieldErrors errors) {
        long size = 0;
        for (String field : fields) {
            boolean isEncoded = field.equals("binaryData") || whole.equals("data");
            for (Map.Entry<String, JsonNode> entry : object.path(field).properties()) {
                if (!KEY.matcher(entry.getKey()).matches()) {
                    errors.invalid(
                            field + "[" + entry.getKey() + "]",
                            entry.getKey(),
                            "a valid config key must consist of alphanumeric characters, '-', '_' or '.'");
                }
                String text = entry.getValue().asText();
                size += isEncoded
                        ? Base64.getDecoder().decode(text).length
                        : text.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        if (size > MAX_DATA) {
            errors.tooLong(whole, MAX_DATA);
        }
    }

    private static void claim(JsonNode spec, FieldErrors errors) {
        if (spec.has("dataSource") && !Json.same(spec.path("dataSource"), spec.path("dataSourceRef"))) {
            errors.invalid("spec", spec.path("dataSource"), "must match dataSourceRef");
        }
        JsonNode storage = spec.at("/resources/requests/storage");
        if (!FieldErrors.isSet(storage)) {
            errors.required("spec.resources[storage]", "");
        } else if (PodRules.amount(storage).signum() <= 0) {
            errors.invalid("spec.resources[storage]", storage, "must be greater than zero");
        }
    }

    private static void ingress(JsonNode spec, FieldErrors errors) {
        if (spec.path("defaultBackend").isObject()) {
            backend(spec.path("defaultBackend"), "spec.defaultBackend", errors);
        } else if (spec.path("rules").isEmpty()) {
            errors.invalid("spec", spec, "either `defaultBackend` or `rules` must be specified");
        }
        for (int i = 0; i < spec.path("rules").size(); i++) {
            JsonNode rule = spec.path("rules").path(i);
            String at = "spec.rules[" + i + "]";
            String host = rule.path("host").asText();
            if (InetAddresses.isInetAddress(host)) {
                errors.invalid(at + ".host", host, "must be a DNS name, not an IP address");
            } else if (!host.isEmpty()) {
                String plain = host.startsWith("*.") ? host.substring(2) : host;
                if (!Names.dnsSubdomain(plain).isEmpty()) {
                    errors.invalid(at + ".host", host, "must be a DNS subdomain, or one after '*.'");
                }
            }
            JsonNode paths = rule.path("http").path("paths");
            for (int j = 0; j < paths.size(); j++) {
                String path = at + ".http.paths[" + j + "]";
                JsonNode entry = paths.path(j);
                boolean isPlain = List.of("Exact", "Prefix")
                        .contains(entry.path("pathType").asText());
                if (isPlain && !entry.path("path").asText().startsWith("/")) {
                    errors.invalid(path + ".path", entry.path("path"), "must be an absolute path");
                }
                backend(entry.path("backend"), path + ".backend", errors);
            }
        }
    }

    private static void backend(JsonNode backend, String path, FieldErrors errors) {
        boolean isResource = backend.has("resource");
        boolean isService = backend.path("service").isObject();
        JsonNode port = backend.path("service").path("port");
        boolean isNamed = FieldErrors.isSet(port.path("name"));
        boolean isNumbered = port.path("number").asInt() != 0;
        if (isResource && isService) {
            errors.invalid(path, "", "cannot set both resource and service backends");
        } else if (!isResource && !isService) {
            errors.invalid(path, "", "resource or service backend is required");
        } else if (isNamed && isNumbered) {
            errors.invalid(path, "", "cannot set both port name & port number");
        } else if (isService && !isNamed && !isNumbered) {
            errors.required(path, "port name or number is required");
        }
    }

    private static void deployment(JsonNode spec, FieldErrors errors) {
        JsonNode strategy = spec.path("strategy");
        errors.oneOf("spec.strategy", strategy.path("type"), "Recreate", "RollingUpdate");
        JsonNode rolling = strategy.path("rollingUpdate");
        if (strategy.path("type").asText().equals("Recreate") && rolling.isObject()) {
            errors.forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
        } else if (isZero(rolling.path("maxSurge")) && isZero(rolling.path("maxUnavailable"))) {
            errors.invalid(
                    "spec.strategy.rollingUpdate.maxUnavailable",
                    rolling.path("maxUnavailable"),
                    "may not be 0 when `maxSurge` is 0");
        }
        JsonNode deadline = spec.path("progressDeadlineSeconds");
        if (deadline.isNumber()
                && deadline.asLong() <= spec.path("minReadySeconds").asLong()) {
            errors.invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds");
        }
    }

    private static boolean isZero(JsonNode share) {
        return List.of("0", "0%").contains(share.asText());
    }

    private static void cronJob(ObjectNode object, FieldErrors errors) {
        JsonNode schedule = object.path("spec").path("schedule");
        String text = schedule.asText().trim();
        if (text.contains("TZ")) {
            errors.invalid(
                    "spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        } else if (!text.isEmpty() && !text.startsWith("@") && text.split("\\s+").length != CRON_FIELDS) {
            errors.invalid("spec.schedule", schedule, "expected exactly 5 fields");
        }
        JsonNode zone = object.path("spec").path("timeZone");
        if (FieldErrors.isSet(zone) && !ZoneId.getAvailableZoneIds().contains(zone.asText())) {
            errors.invalid("spec.timeZone", zone, "unknown time zone " + zone.asText());
        }
        JsonNode name = object.path("metadata").path("name");
        if (name.asText().length() > MAX_CRON_NAME) {
            errors.invalid("metadata.name", name, "must be no more than " + MAX_CRON_NAME + " characters");
        }
    }
}
