package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.admission.AdmissionRequest;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.rules.BuiltInRules;
import io.github.reconciler4j.test.server.internal.rest.PodViolations.Violation;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plug-in that enforces the Pod Security Standard which the labels of a namespace name, and warns of templates of pods that
 * violate it. The defaults are those of a server without a configuration: privileged, and no exemptions. Stateless; thread-safe.
 */
final class PodSecurity {

    private static final ResourceId NAMESPACES = new ResourceId("", "namespaces");
    private static final ResourceId PODS = new ResourceId("", "pods");
    private static final String LABEL = "pod-security.kubernetes.io/";
    private static final List<String> LEVELS = List.of("privileged", "baseline", "restricted");
    private static final Pattern VERSION = Pattern.compile("v1\\.(0|[1-9][0-9]{0,8})");

    /** Parts of a pod in which nothing of the standards can change. */
    private static final Set<String> OTHER_PARTS =
            Set.of("exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status");

    private final VersionedStore store;

    PodSecurity(VersionedStore store) {
        this.store = store;
    }

    /** A standard in a version. */
    private record Standard(String level, String version) {

        boolean isPrivileged() {
            return level.equals(LEVELS.get(0));
        }

        List<Violation> check(JsonNode pod) {
            Matcher matcher = VERSION.matcher(version);
            int minor = matcher.matches() ? Integer.parseInt(matcher.group(1)) : Integer.MAX_VALUE;
            return isPrivileged() ? List.of() : PodSecurityChecks.check(pod, level.equals(LEVELS.get(2)), minor);
        }

        boolean isStricterThan(Standard other) {
            return LEVELS.indexOf(level) > LEVELS.indexOf(other.level);
        }

        @Override
        public String toString() {
            return level + ":" + version;
        }
    }

    /** What the labels of a namespace name; audit is only written to a log. */
    private record Policy(Standard enforce, Standard warn, FieldErrors errors) {

        static Policy of(JsonNode namespace) {
            Map<String, String> labels = Json.stringMap(namespace, "metadata", "labels");
            FieldErrors errors = new FieldErrors();
            Standard enforce = standard(labels, "enforce", LEVELS.get(2), errors);
            standard(labels, "audit", LEVELS.get(0), errors);
            Standard warn = standard(labels, "warn", LEVELS.get(0), errors);
            boolean isEnforced = LEVELS.contains(labels.getOrDefault(LABEL + "enforce", ""));
            if (!labels.containsKey(LABEL + "warn") && isEnforced && enforce.isStricterThan(warn)) {
                warn = labels.containsKey(LABEL + "warn-version") ? new Standard(enforce.level, warn.version) : enforce;
            }
            return new Policy(enforce, warn, errors);
        }

        private static Standard standard(
                Map<String, String> labels, String mode, String otherwise, FieldErrors errors) {
            String level = labels.getOrDefault(LABEL + mode, LEVELS.get(0));
            if (!LEVELS.contains(level)) {
                errors.invalid(path(mode), level, "must be one of " + String.join(", ", LEVELS));
                level = otherwise;
            }
            String version = labels.getOrDefault(LABEL + mode + "-version", "latest");
            if (!version.equals("latest") && !VERSION.matcher(version).matches()) {
                errors.invalid(path(mode + "-version"), version, "must be \"latest\" or \"v1.x\"");
                version = "latest";
            }
            return new Standard(level, version);
        }

        private static String path(String label) {
            return "metadata.labels[" + LABEL + label + "]";
        }
    }

    /** Check a namespace, a pod, or an object with a template of a pod. */
    void check(AdmissionRequest request) {
        String[] template = BuiltInRules.podTemplate(request.type().id().toString());
        if (request.type().id().equals(NAMESPACES) && request.subresource().isEmpty()) {
            checkNamespace(request);
        } else if (template != null && template.length == 0) {
            if (!OTHER_PARTS.contains(request.subresource()) && isChanged(request)) {
                enforce(request);
            }
        } else if (template != null && request.subresource().isEmpty()) {
            JsonNode pod = Json.at(request.object(), template);
            if (pod != null) {
                warn(request, policyOf(request.namespace()), pod);
            }
        }
    }

    private Policy policyOf(String namespace) {
        StoredObject stored = store.get(NAMESPACES, new ObjectName("", namespace));
        return Policy.of(stored == null ? Json.object() : stored.tree());
    }

    private void enforce(AdmissionRequest request) {
        Policy policy = policyOf(request.namespace());
        ObjectNode pod = Objects.requireNonNull(request.object());
        List<Violation> violations = policy.enforce().check(pod);
        if (!violations.isEmpty()) {
            throw Plugins.forbidden(request, "violates PodSecurity \"" + policy.enforce() + "\": " + text(violations));
        }
        warn(request, policy, pod);
    }

    private static void warn(AdmissionRequest request, Policy policy, JsonNode pod) {
        List<Violation> violations = policy.warn().check(pod);
        if (!violations.isEmpty()) {
            request.warnings().accept("would violate PodSecurity \"" + policy.warn() + "\": " + text(violations));
        }
    }

    private static String text(List<Violation> violations) {
        return violations.stream().map(Violation::toString).collect(Collectors.joining(", "));
    }

    /** Return whether the containers of a pod have changed, which is all that an update can change. */
    private static boolean isChanged(AdmissionRequest request) {
        ObjectNode before = request.old();
        return before == null || !images(before).equals(images(request.object()));
    }

    private static List<String> images(@Nullable JsonNode pod) {
        List<String> images = new ArrayList<>();
        for (String field : List.of("containers", "initContainers", "ephemeralContainers")) {
            images.add(field);
            Json.items(pod, "spec", field).forEach(container -> images.add(Json.text(container, "image")));
        }
        return images;
    }

    private void checkNamespace(AdmissionRequest request) {
        Policy policy = Policy.of(Objects.requireNonNull(request.object()));
        ObjectNode before = request.old();
        Policy old = before == null ? null : Policy.of(before);
        if (!policy.errors().isEmpty() && (old == null || !old.errors().equals(policy.errors()))) {
            throw StatusException.invalid(
                    request.type().group(), request.type().kind(), request.shownName(), policy.errors());
        }
        if (old == null
                || policy.enforce().equals(old.enforce())
                || policy.enforce().isPrivileged()) {
            return;
        }
        boolean isSameVersion = policy.enforce().version().equals(old.enforce().version());
        if (!isSameVersion || policy.enforce().isStricterThan(old.enforce())) {
            warnOfPods(request, policy.enforce());
        }
    }

    /** Warn of the pods that exist, once for each combination of what they violate. */
    private void warnOfPods(AdmissionRequest request, Standard standard) {
        Map<String, List<String>> podsByReasons = new TreeMap<>();
        for (StoredObject stored :
                store.list(PODS, ListQuery.all(request.shownName())).items()) {
            String reasons = standard.check(stored.tree()).stream()
                    .map(Violation::reason)
                    .collect(Collectors.joining(", "));
            if (!reasons.isEmpty()) {
                podsByReasons
                        .computeIfAbsent(reasons, same -> new ArrayList<>())
                        .add(Json.text(stored.tree(), "metadata", "name"));
            }
        }
        if (podsByReasons.isEmpty()) {
            return;
        }
        request.warnings()
                .accept("existing pods in namespace \"" + request.shownName()
                        + "\" violate the new PodSecurity enforce level \"" + standard + "\"");
        podsByReasons.entrySet().stream()
                .map(each -> firstOf(each.getValue()) + ": " + each.getKey())
                .sorted()
                .forEach(request.warnings());
    }

    private static String firstOf(List<String> pods) {
        int others = new HashSet<>(pods).size() - 1;
        String first = pods.stream().sorted().findFirst().orElse("");
        return others == 0 ? first : first + " (and " + others + (others == 1 ? " other pod)" : " other pods)");
    }
}
