package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpression;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions.InvalidExpressionException;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions.Result;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.render.Representation;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Reads policies, their bindings and their parameters. Safe for use by multiple threads. */
final class Policies {
    /** A rule that matches all requests. */
    static final JsonNode EVERYTHING = everything();

    private static final ResourceId VALIDATING = new ResourceId(Admission.GROUP, "validatingadmissionpolicies");
    private static final ResourceId VALIDATING_BINDINGS =
            new ResourceId(Admission.GROUP, "validatingadmissionpolicybindings");
    private static final ResourceId MUTATING = new ResourceId(Admission.GROUP, "mutatingadmissionpolicies");
    private static final ResourceId MUTATING_BINDINGS =
            new ResourceId(Admission.GROUP, "mutatingadmissionpolicybindings");

    private final VersionedStore store;
    private final Registry registry;
    private final Map<String, Policy> known = new ConcurrentHashMap<>();

    Policies(VersionedStore store, Registry registry) {
        this.store = store;
        this.registry = registry;
    }

    private static JsonNode everything() {
        ObjectNode rule = Json.object();
        for (String field : List.of("operations", "apiGroups", "apiVersions")) {
            rule.putArray(field).add("*");
        }
        rule.putArray("resources").add("*/*");
        return rule;
    }

    /** A policy or binding whose parameters cannot be found. */
    static final class ConfigurationException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean ofPolicy;

        ConfigurationException(String message, boolean ofPolicy) {
            super((ofPolicy ? "failed to configure policy: " : "failed to configure binding: ") + message);
            this.ofPolicy = ofPolicy;
        }

        /** Return whether the policy is to blame, rather than the binding. */
        boolean ofPolicy() {
            return ofPolicy;
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    /** A validation of a policy. */
    record Validation(
            JsonNode json,
            AdmissionExpression expression,
            @Nullable AdmissionExpression message) {}

    /** A mutation of a policy. */
    record Mutation(boolean isJsonPatch, AdmissionExpression expression) {}

    /** A binding of a policy. */
    record Binding(String name, JsonNode spec) {}

    /** A policy with its compiled expressions. Immutable. */
    record Policy(
            String name,
            JsonNode spec,
            List<AdmissionExpression> conditions,
            List<Validation> validations,
            List<AdmissionExpression> annotations,
            List<Mutation> mutations) {
        boolean ignoresFailures() {
            return spec.path("failurePolicy").asText().equals("Ignore");
        }
    }

    List<Policy> validating() {
        return policies(VALIDATING);
    }

    List<Policy> mutating() {
        return policies(MUTATING);
    }

    private List<Policy> policies(ResourceId resource) {
        List<Policy> policies = new ArrayList<>();
        for (StoredObject stored : all(resource)) {
            String key = resource + "/" + stored.name().name() + "/" + stored.version();
            policies.add(known.computeIfAbsent(key, none -> read(stored)));
        }
        return policies;
    }

    private List<StoredObject> all(ResourceId resource) {
        return store.count(resource) == 0
                ? List.of()
                : store.list(resource, ListQuery.all("")).items();
    }

    private static Policy read(StoredObject stored) {
        JsonNode spec = stored.tree().path("spec");
        boolean params = spec.hasNonNull("paramKind");
        AdmissionExpressions plain = new AdmissionExpressions(params);
        AdmissionExpressions compiler = new AdmissionExpressions(params);
        try {
            List<AdmissionExpression> conditions = new ArrayList<>();
            for (JsonNode condition : spec.path("matchConditions")) {
                conditions.add(plain.compile(condition.path("expression").asText(), Result.BOOL));
            }
            for (JsonNode variable : spec.path("variables")) {
                compiler.addVariable(
                        variable.path("name").asText(),
                        variable.path("expression").asText());
            }
            List<Validation> validations = new ArrayList<>();
            for (JsonNode validation : spec.path("validations")) {
                String message = validation.path("messageExpression").asText();
                validations.add(new Validation(
                        validation,
                        compiler.compile(validation.path("expression").asText(), Result.BOOL),
                        message.isBlank() ? null : compiler.compile(message, Result.STRING)));
            }
            List<AdmissionExpression> annotations = new ArrayList<>();
            for (JsonNode annotation : spec.path("auditAnnotations")) {
                annotations.add(
                        compiler.compile(annotation.path("valueExpression").asText(), Result.TEXT_OR_NULL));
            }
            return new Policy(
                    stored.name().name(), spec, conditions, validations, annotations, mutations(spec, compiler));
        } catch (InvalidExpressionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Mutation> mutations(JsonNode spec, AdmissionExpressions compiler)
            throws InvalidExpressionException {
        List<Mutation> mutations = new ArrayList<>();
        for (JsonNode mutation : spec.path("mutations")) {
            boolean json = mutation.path("patchType").asText().equals("JSONPatch");
            String text = mutation.path(json ? "jsonPatch" : "applyConfiguration")
                    .path("expression")
                    .asText();
            mutations.add(new Mutation(json, compiler.compile(text, json ? Result.PATCH : Result.OBJECT)));
        }
        return mutations;
    }

    List<Binding> validatingBindings(Policy policy) {
        return bindings(VALIDATING_BINDINGS, policy);
    }

    List<Binding> mutatingBindings(Policy policy) {
        return bindings(MUTATING_BINDINGS, policy);
    }

    private List<Binding> bindings(ResourceId resource, Policy policy) {
        List<Binding> bindings = new ArrayList<>();
        for (StoredObject stored : all(resource)) {
            JsonNode spec = stored.tree().path("spec");
            if (spec.path("policyName").asText().equals(policy.name())) {
                bindings.add(new Binding(stored.name().name(), spec));
            }
        }
        return bindings;
    }

    /**
     * Return the parameters of a binding: one missing node if it has none, nothing if none is found and that is allowed.
     *
     * @param namespace the namespace of the request
     */
    List<JsonNode> params(Policy policy, Binding binding, String namespace) throws ConfigurationException {
        JsonNode kind = policy.spec().path("paramKind");
        JsonNode ref = binding.spec().path("paramRef");
        if (!kind.isObject()) {
            return List.of(MissingNode.getInstance());
        }
        ResourceType type = paramType(kind);
        if (!ref.isObject()) {
            return List.of(MissingNode.getInstance());
        }
        String own = ref.path("namespace").asText();
        if (!type.namespaced() && !own.isEmpty()) {
            throw new ConfigurationException(
                    "paramRef.namespace must not be provided for a cluster-scoped `paramKind`", false);
        }
        String in = !type.namespaced() ? "" : own.isEmpty() ? namespace : own;
        if (type.namespaced() && in.isEmpty()) {
            throw new ConfigurationException(
                    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources", false);
        }
        List<JsonNode> found = find(type, in, ref);
        if (found.isEmpty() && ref.path("parameterNotFoundAction").asText().equals("Deny")) {
            throw new ConfigurationException(
                    "no params found for policy binding with `Deny` parameterNotFoundAction", false);
        }
        return found;
    }

    private ResourceType paramType(JsonNode kind) throws ConfigurationException {
        String version = kind.path("apiVersion").asText();
        int slash = version.indexOf('/');
        ResourceType type = registry.findKind(
                slash < 0 ? "" : version.substring(0, slash),
                version.substring(slash + 1),
                kind.path("kind").asText());
        if (type == null) {
            throw new ConfigurationException(
                    "failed to find resource referenced by paramKind: '" + (slash < 0 ? "/" : "") + version + ", Kind="
                            + kind.path("kind").asText() + "'",
                    true);
        }
        return type;
    }

    private List<JsonNode> find(ResourceType type, String namespace, JsonNode ref) {
        List<JsonNode> found = new ArrayList<>();
        String name = ref.path("name").asText();
        if (!name.isEmpty()) {
            StoredObject stored = store.get(type.id(), new ObjectName(namespace, name));
            if (stored != null) {
                found.add(Representation.inVersion(type, stored.tree()));
            }
            return found;
        }
        for (StoredObject stored :
                store.list(type.id(), ListQuery.all(namespace)).items()) {
            if (LabelSelector.of(ref.path("selector")).test(stored.labels())) {
                found.add(Representation.inVersion(type, stored.tree()));
            }
        }
        return found;
    }
}
