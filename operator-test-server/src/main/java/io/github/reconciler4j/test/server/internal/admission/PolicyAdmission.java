package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpression;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpression.EvaluationException;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The admission policies of the cluster. Stateless but for what it compiled; safe for use by multiple threads. */
final class PolicyAdmission {
    private static final int MAX_MESSAGE = 5 * 1024;

    private final Policies policies;
    private final Matching matching;
    private final Mutations mutations;

    PolicyAdmission(Admission.Parts parts, Matching matching) {
        this.matching = matching;
        policies = new Policies(parts.store(), parts.registry());
        mutations = new Mutations(parts.decoder());
    }

    /** A check that failed: why, and the reason of the answer. */
    private record Failure(String message, String reason) {}

    private @Nullable ResourceType target(JsonNode criteria, AdmissionRequest request) {
        List<JsonNode> excluded = Json.items(criteria, "excludeResourceRules");
        if (matching.byRules(excluded, criteria.path("matchPolicy").asText(), request) != null) {
            return null;
        }
        List<JsonNode> rules = Json.items(criteria, "resourceRules");
        if (rules.isEmpty()) {
            rules = List.of(Policies.EVERYTHING);
        }
        return matching.matches(criteria, rules, request);
    }

    private AdmissionExpressions.Input input(ResourceType type, AdmissionRequest request, @Nullable JsonNode params) {
        return new AdmissionExpressions.Input(
                Admission.inVersion(type, request.object()),
                Admission.inVersion(type, request.old()),
                request.describe(type),
                matching.namespace(request),
                params);
    }

    void validate(AdmissionRequest request) {
        List<StatusException> denied = new ArrayList<>();
        for (Policies.Policy policy : policies.validating()) {
            ResourceType type = target(policy.spec().path("matchConstraints"), request);
            if (type == null) {
                continue;
            }
            for (Policies.Binding binding : policies.validatingBindings(policy)) {
                if (target(binding.spec().path("matchResources"), request) != null) {
                    validate(policy, binding, type, request, denied);
                }
            }
        }
        if (!denied.isEmpty()) {
            throw denied.get(0);
        }
    }

    private void validate(
            Policies.Policy policy,
            Policies.Binding binding,
            ResourceType type,
            AdmissionRequest request,
            List<StatusException> denied) {
        try {
            for (JsonNode params : policies.params(policy, binding, request.namespace())) {
                AdmissionExpressions.Input input = input(type, request, params.isMissingNode() ? null : params);
                check(policy, input).forEach(failure -> act(policy, binding, request, failure, denied));
                checkAnnotations(policy, input)
                        .forEach(failure -> denied.add(denial(policy, binding, request, failure)));
            }
        } catch (Policies.ConfigurationException e) {
            if (!policy.ignoresFailures()) {
                denied.add(denial(policy, e.ofPolicy() ? null : binding, request, new Failure(e.getMessage(), "")));
            }
        }
    }

    private static void act(
            Policies.Policy policy,
            Policies.Binding binding,
            AdmissionRequest request,
            Failure failure,
            List<StatusException> denied) {
        for (String action : Json.texts(binding.spec(), "validationActions")) {
            if (action.equals("Deny")) {
                denied.add(denial(policy, binding, request, failure));
            } else if (action.equals("Warn")) {
                request.warnings()
                        .accept("Validation failed for ValidatingAdmissionPolicy '" + policy.name() + "' with binding '"
                                + binding.name() + "': " + failure.message());
            }
        }
    }

    private static StatusException denial(
            Policies.Policy policy, Policies.@Nullable Binding binding, AdmissionRequest request, Failure failure) {
        String message = "ValidatingAdmissionPolicy '" + policy.name() + "'"
                + (binding == null ? "" : " with binding '" + binding.name() + "'") + " denied request: "
                + failure.message();
        String reason = failure.reason().isEmpty() ? "Invalid" : failure.reason();
        int code = switch (reason) {
            case "Forbidden" -> 403;
            case "Unauthorized" -> 401;
            case "RequestEntityTooLarge" -> 413;
            default -> 422;
        };
        return status(request, message, code, reason, List.of(message), true);
    }

    private static StatusException status(
            AdmissionRequest request, String message, int code, String reason, List<String> causes, boolean prefixed) {
        ResourceType type = request.type();
        StatusException plain = StatusException.forbidden(type.group(), type.plural(), request.shownName(), message);
        ObjectNode details = Json.child(plain.toStatus(), "details");
        causes.forEach(cause -> details.withArray("causes").addObject().put("message", cause));
        return new StatusException(code, reason, prefixed ? plain.getMessage() : message, details);
    }

    private static List<Failure> check(Policies.Policy policy, AdmissionExpressions.Input input) {
        List<Failure> failures = new ArrayList<>();
        try {
            if (!Matching.holds(policy.conditions(), input)) {
                return failures;
            }
        } catch (EvaluationException e) {
            return policy.ignoresFailures() ? failures : List.of(new Failure(e.getMessage(), ""));
        }
        for (Policies.Validation validation : policy.validations()) {
            Failure failure = check(policy, validation, input);
            if (failure != null) {
                failures.add(failure);
            }
        }
        return failures;
    }

    /** Return the audit annotations that fail; they deny the request whatever the actions of the binding are. */
    private static List<Failure> checkAnnotations(Policies.Policy policy, AdmissionExpressions.Input input) {
        List<Failure> failures = new ArrayList<>();
        try {
            if (policy.ignoresFailures() || !Matching.holds(policy.conditions(), input)) {
                return failures;
            }
        } catch (EvaluationException e) {
            return failures;
        }
        for (AdmissionExpression annotation : policy.annotations()) {
            try {
                annotation.evaluate(input);
            } catch (EvaluationException e) {
                failures.add(new Failure(e.getMessage(), ""));
            }
        }
        return failures;
    }

    private static @Nullable Failure check(
            Policies.Policy policy, Policies.Validation validation, AdmissionExpressions.Input input) {
        try {
            if (validation.expression().evaluate(input).asBoolean()) {
                return null;
            }
        } catch (EvaluationException e) {
            return policy.ignoresFailures() ? null : new Failure(e.getMessage(), "");
        }
        return new Failure(
                message(validation, input), validation.json().path("reason").asText());
    }

    private static String message(Policies.Validation validation, AdmissionExpressions.Input input) {
        AdmissionExpression expression = validation.message();
        String message = "";
        if (expression != null) {
            try {
                JsonNode value = expression.evaluate(input);
                message = value.isTextual() ? value.textValue().trim() : "";
            } catch (EvaluationException e) {
                // the fixed message takes its place
            }
        }
        boolean usable = !message.isEmpty() && !message.contains("\n") && message.length() <= MAX_MESSAGE;
        String fixed = validation.json().path("message").asText().trim();
        return usable
                ? message
                : fixed.isEmpty()
                        ? "failed expression: "
                                + validation.json().path("expression").asText().trim()
                        : fixed;
    }

    AdmissionRequest mutate(AdmissionRequest request, Admission.Pass pass) {
        AdmissionRequest current = request;
        List<String> problems = new ArrayList<>();
        pass.policies().starts(pass.isSecond(), request.object());
        for (Policies.Policy policy : policies.mutating()) {
            ResourceType type = target(policy.spec().path("matchConstraints"), request);
            if (type == null) {
                continue;
            }
            for (Policies.Binding binding : policies.mutatingBindings(policy)) {
                if (target(binding.spec().path("matchResources"), request) != null) {
                    current = mutate(policy, binding, type, current, pass, problems);
                }
            }
        }
        if (pass.policies().hasApplied()) {
            // even the last policy is called again with its own result
            pass.policies().changed();
            pass.changed();
        }
        pass.policies().ends(current.object());
        if (!problems.isEmpty()) {
            String first = problems.get(0);
            boolean configured = first.contains(": failed to configure ");
            throw status(request, first, 403, configured ? "Forbidden" : "Invalid", problems, false);
        }
        return current;
    }

    private AdmissionRequest mutate(
            Policies.Policy policy,
            Policies.Binding binding,
            ResourceType type,
            AdmissionRequest request,
            Admission.Pass pass,
            List<String> problems) {
        AdmissionRequest current = request;
        List<String> own = new ArrayList<>();
        try {
            for (JsonNode params : policies.params(policy, binding, request.namespace())) {
                current = mutate(policy, binding, type, current, params, pass, own);
            }
        } catch (Policies.ConfigurationException e) {
            if (!e.ofPolicy()) {
                own.add(e.getMessage());
            } else if (!policy.ignoresFailures()) {
                problems.add("policy \"" + policy.name() + "\" denied request: " + e.getMessage());
            }
        }
        if (!policy.ignoresFailures()) {
            own.forEach(problem -> problems.add(
                    "policy '" + policy.name() + "' with binding '" + binding.name() + "' denied request: " + problem));
        }
        return current;
    }

    private AdmissionRequest mutate(
            Policies.Policy policy,
            Policies.Binding binding,
            ResourceType type,
            AdmissionRequest request,
            JsonNode params,
            Admission.Pass pass,
            List<String> problems) {
        String key = key(policy, binding, params);
        ObjectNode object = request.object();
        JsonNode given = params.isMissingNode() ? null : params;
        try {
            if (!Matching.holds(policy.conditions(), input(type, request, given))
                    || pass.isSecond() && !pass.policies().isDue(key)
                    || object == null) {
                return request;
            }
        } catch (EvaluationException e) {
            problems.add(e.getMessage());
            return request;
        }
        AdmissionRequest current = request;
        for (Policies.Mutation mutation : policy.mutations()) {
            try {
                ObjectNode changed = mutations.apply(mutation, type, current, input(type, current, given));
                current = current.with(Admission.versioned(request.type(), changed));
                pass.policies().applied();
            } catch (EvaluationException | Mutations.UnusablePatchException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        if (!object.equals(current.object())) {
            pass.policies().changed();
            pass.changed();
        }
        if (policy.spec().path("reinvocationPolicy").asText().equals("IfNeeded")) {
            pass.policies().called(key);
        }
        return current;
    }

    private static String key(Policies.Policy policy, Policies.Binding binding, JsonNode params) {
        return policy.name() + " " + binding.name() + " " + Json.text(params, "metadata", "namespace") + "/"
                + Json.text(params, "metadata", "name");
    }
}
