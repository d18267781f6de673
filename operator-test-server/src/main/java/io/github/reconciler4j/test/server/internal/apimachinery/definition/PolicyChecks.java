package io.github.reconciler4j.test.server.internal.apimachinery.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions.InvalidExpressionException;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions.Result;
import io.github.reconciler4j.test.server.internal.apimachinery.rules.BuiltInRules;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks admission policies and their bindings of {@code admissionregistration.k8s.io/v1}, defaults filled in. Not checked:
 * the estimated cost of expressions. Stateless; safe for use by multiple threads.
 */
public final class PolicyChecks {
    private static final int MAX_ANNOTATIONS = 20;
    private static final int MAX_ANNOTATION = 5 * 1024;
    private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
    private static final Set<String> RESERVED = Set.of(
            ("true false null in as break const continue else for function if import let loop package namespace return"
                            + " var void while")
                    .split(" "));
    private static final String ONE_NEEDED = "validations or auditAnnotations must contain at least one item";

    private PolicyChecks() {}

    /** Return the errors of a policy or a binding. */
    public static List<FieldError> check(JsonNode object) {
        FieldErrors errors = new FieldErrors();
        JsonNode spec = object.path("spec");
        switch (object.path("kind").asText()) {
            case "ValidatingAdmissionPolicy" -> validating(object, spec, errors);
            case "MutatingAdmissionPolicy" -> mutating(spec, errors);
            case "ValidatingAdmissionPolicyBinding" -> {
                binding(spec, false, errors);
                JsonNode actions = spec.path("validationActions");
                if (!actions.isEmpty()) {
                    actions(actions, errors);
                }
                // A real server checks after everything else that these are present.
                if (spec.path("policyName").asText().isEmpty()) {
                    errors.required("spec.policyName", "");
                }
                if (actions.isEmpty()) {
                    actions(actions, errors);
                }
            }
            case "MutatingAdmissionPolicyBinding" -> {
                binding(spec, true, errors);
                operations(spec.path("matchResources"), "spec.matchResources", errors);
            }
            default -> {}
        }
        return errors;
    }

    /** Check what both kinds of policies have; return the compiler with their variables. */
    private static AdmissionExpressions common(JsonNode spec, boolean mutating, FieldErrors errors) {
        errors.oneOf("spec.failurePolicy", spec.path("failurePolicy"), "Fail", "Ignore");
        boolean params = spec.hasNonNull("paramKind");
        if (params) {
            paramKind(spec.path("paramKind"), errors);
        }
        JsonNode constraints = spec.path("matchConstraints");
        if (!constraints.isObject()) {
            errors.required("spec.matchConstraints", "");
        } else {
            resources(constraints, "spec.matchConstraints", errors);
            if (constraints.path("resourceRules").isEmpty()) {
                errors.required("spec.matchConstraints.resourceRules", "");
            }
            if (mutating) {
                operations(constraints, "spec.matchConstraints", errors);
            }
        }
        RuleChecks.conditions(spec.path("matchConditions"), params, "spec.matchConditions", errors);
        AdmissionExpressions compiler = new AdmissionExpressions(params);
        for (int i = 0; i < spec.path("variables").size(); i++) {
            variable(compiler, spec.path("variables").path(i), "spec.variables[" + i + "]", errors);
        }
        return compiler;
    }

    private static void validating(JsonNode policy, JsonNode spec, FieldErrors errors) {
        AdmissionExpressions compiler = common(spec, false, errors);
        JsonNode validations = spec.path("validations");
        JsonNode annotations = spec.path("auditAnnotations");
        if (validations.isEmpty() && annotations.isEmpty()) {
            errors.required("spec.validations", ONE_NEEDED);
            errors.required("spec.auditAnnotations", ONE_NEEDED);
            return;
        }
        for (int i = 0; i < validations.size(); i++) {
            validation(compiler, validations.path(i), "spec.validations[" + i + "]", errors);
        }
        if (annotations.size() > MAX_ANNOTATIONS) {
            errors.invalid("spec.auditAnnotations", annotations, "must not have more than 20 auditAnnotations");
        }
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < annotations.size(); i++) {
            JsonNode annotation = annotations.path(i);
            String path = "spec.auditAnnotations[" + i + "]";
            String key = annotation.path("key").asText();
            String full = Json.text(policy, "metadata", "name") + "/" + key;
            errors.invalid(path + ".key", full, Names.labelKey(full));
            String text = annotation.path("valueExpression").asText();
            if (text.trim().length() > MAX_ANNOTATION) {
                errors.required(path + ".valueExpression", "must not exceed 5120 bytes in length");
            } else {
                RuleChecks.expression(
                        compiler,
                        text,
                        Result.TEXT_OR_NULL,
                        "valueExpression is not specified",
                        path + ".valueExpression",
                        errors);
            }
            if (!keys.add(key)) {
                errors.duplicate(path + ".key", annotation.path("key"));
            }
        }
    }

    private static void mutating(JsonNode spec, FieldErrors errors) {
        AdmissionExpressions compiler = common(spec, true, errors);
        if (spec.path("mutations").isEmpty()) {
            errors.required("spec.mutations", "mutations must contain at least one item");
        }
        for (int i = 0; i < spec.path("mutations").size(); i++) {
            mutation(compiler, spec.path("mutations").path(i), "spec.mutations[" + i + "]", errors);
        }
        JsonNode policy = spec.path("reinvocationPolicy");
        if (policy.asText().isEmpty()) {
            errors.required("spec.reinvocationPolicy", "");
        }
        errors.oneOf("spec.reinvocationPolicy", policy, "IfNeeded", "Never");
    }

    private static void mutation(AdmissionExpressions compiler, JsonNode mutation, String path, FieldErrors errors) {
        String type = mutation.path("patchType").asText();
        switch (type) {
            case "" -> errors.required(path + ".patchType", "");
            case "JSONPatch" ->
                patch(compiler, mutation, "jsonPatch", "applyConfiguration", Result.PATCH, path, errors);
            case "ApplyConfiguration" ->
                patch(compiler, mutation, "applyConfiguration", "jsonPatch", Result.OBJECT, path, errors);
            default ->
                errors.notSupported(
                        path + ".patchType", mutation.path("patchType"), List.of("ApplyConfiguration", "JSONPatch"));
        }
    }

    private static void patch(
            AdmissionExpressions compiler,
            JsonNode mutation,
            String field,
            String other,
            Result result,
            String path,
            FieldErrors errors) {
        String type = mutation.path("patchType").asText();
        if (!mutation.hasNonNull(field)) {
            errors.required(path + "." + field, "must be specified when patchType is " + type);
        } else {
            String text = mutation.path(field).path("expression").asText();
            RuleChecks.expression(compiler, text, result, "", path + "." + field + ".expression", errors);
        }
        if (mutation.hasNonNull(other)) {
            errors.invalid(path + "." + other, "{" + other + "}", "must not be specified when patchType is " + type);
        }
    }

    private static void variable(AdmissionExpressions compiler, JsonNode variable, String path, FieldErrors errors) {
        String name = variable.path("name").asText();
        boolean valid = IDENTIFIER.matcher(name).matches() && !RESERVED.contains(name);
        if (name.isBlank()) {
            errors.required(path + ".name", "name is not specified");
        } else if (!valid) {
            errors.invalid(path + ".name", name, "must be a valid CEL identifier");
        }
        String text = variable.path("expression").asText();
        if (text.isBlank()) {
            errors.required(path + ".expression", "expression is not specified");
            return;
        }
        try {
            compiler.addVariable(name, text);
        } catch (InvalidExpressionException e) {
            errors.invalid(path + ".expression", text, e.getMessage());
        }
    }

    private static void validation(
            AdmissionExpressions compiler, JsonNode validation, String path, FieldErrors errors) {
        RuleChecks.expression(
                compiler,
                validation.path("expression").asText(),
                Result.BOOL,
                "expression is not specified",
                path + ".expression",
                errors);
        JsonNode expression = validation.path("messageExpression");
        if (!expression.asText().isEmpty()) {
            if (expression.asText().isBlank()) {
                errors.invalid(path + ".messageExpression", expression, "must be non-empty if specified");
            } else {
                RuleChecks.expression(
                        compiler, expression.asText(), Result.STRING, "", path + ".messageExpression", errors);
            }
        }
        JsonNode message = validation.path("message");
        if (!message.asText().isEmpty() && message.asText().isBlank()) {
            errors.invalid(path + ".message", message, "must be non-empty if specified");
        } else if (message.asText().trim().matches("(?s).*[\\n\\r].*")) {
            errors.invalid(path + ".message", message, "must not contain line breaks");
        }
        errors.oneOf(path + ".reason", validation.path("reason"), "Forbidden", "Invalid", "RequestEntityTooLarge");
    }

    private static void paramKind(JsonNode kind, FieldErrors errors) {
        String version = kind.path("apiVersion").asText();
        String path = "spec.paramKind.apiVersion";
        String[] parts = version.split("/", -1);
        if (version.isEmpty()) {
            errors.required(path, "");
        } else if (parts.length > 2) {
            errors.invalid(path, version, "unexpected GroupVersion string: " + version);
        } else {
            if (parts.length == 2 && !parts[0].isEmpty()) {
                List<String> problems = Names.dnsSubdomain(parts[0]);
                if (!problems.isEmpty()) {
                    errors.invalid(path, parts[0], String.join(",", problems));
                }
            }
            String last = parts[parts.length - 1];
            List<String> problems = last.isEmpty() ? List.of() : Names.dns1035Label(last);
            if (last.isEmpty()) {
                errors.invalid(path, version, "version must be specified");
            } else if (!problems.isEmpty()) {
                errors.invalid(path, last, String.join(",", problems));
            }
        }
        String name = kind.path("kind").asText();
        List<String> problems = name.isEmpty() ? List.of() : Names.dns1035Label(name.toLowerCase(Locale.ROOT));
        if (name.isEmpty()) {
            errors.required("spec.paramKind.kind", "");
        } else if (!problems.isEmpty()) {
            errors.invalid(
                    "spec.paramKind.kind",
                    name,
                    "may have mixed case, but should otherwise match: " + String.join(",", problems));
        }
    }

    private static void resources(JsonNode match, String path, FieldErrors errors) {
        errors.oneOf(path + ".matchPolicy", match.path("matchPolicy"), "Equivalent", "Exact");
        for (String selector : List.of("namespaceSelector", "objectSelector")) {
            BuiltInRules.checkSelector(path + "." + selector, match.path(selector), errors);
        }
        for (String field : List.of("resourceRules", "excludeResourceRules")) {
            for (int i = 0; i < match.path(field).size(); i++) {
                JsonNode rule = match.path(field).path(i);
                String at = path + "." + field + "[" + i + "]";
                Set<String> names = new HashSet<>();
                for (int j = 0; j < rule.path("resourceNames").size(); j++) {
                    JsonNode name = rule.path("resourceNames").path(j);
                    String place = at + ".resourceNames[" + j + "]";
                    errors.invalid(place, name.asText(), Names.pathSegment(name.asText()));
                    if (!names.add(name.asText())) {
                        errors.duplicate(place, name);
                    }
                }
                RuleChecks.rule(rule, at, errors);
            }
        }
    }

    private static void operations(JsonNode match, String path, FieldErrors errors) {
        for (JsonNode rule : match.path("resourceRules")) {
            for (JsonNode operation : rule.path("operations")) {
                if (!List.of("*", "CREATE", "UPDATE", "CONNECT").contains(operation.asText())) {
                    errors.notSupported(
                            path + ".resourceRules.operations", operation, List.of("*", "CONNECT", "CREATE", "UPDATE"));
                }
            }
        }
    }

    private static void binding(JsonNode spec, boolean mutating, FieldErrors errors) {
        String policy = spec.path("policyName").asText();
        if (policy.isEmpty() && mutating) {
            errors.required("spec.policyName", "");
        } else if (!policy.isEmpty()) {
            errors.invalid("spec.policyName", policy, Names.dnsSubdomain(policy));
        }
        if (spec.path("paramRef").isObject()) {
            paramRef(spec.path("paramRef"), errors);
        }
        if (spec.path("matchResources").isObject()) {
            resources(spec.path("matchResources"), "spec.matchResources", errors);
        }
    }

    private static void paramRef(JsonNode ref, FieldErrors errors) {
        String name = ref.path("name").asText();
        boolean selects = ref.path("selector").isObject();
        errors.invalid("spec.paramRef.name", name, Names.pathSegment(name));
        if (!name.isEmpty() && selects) {
            errors.forbidden("spec.paramRef.name", "name and selector are mutually exclusive");
            errors.forbidden("spec.paramRef.selector", "name and selector are mutually exclusive");
        }
        if (selects) {
            BuiltInRules.checkSelector("spec.paramRef.selector", ref.path("selector"), errors);
        }
        if (name.isEmpty() && !selects) {
            errors.required("spec.paramRef", "one of name or selector must be specified");
        }
        JsonNode action = ref.path("parameterNotFoundAction");
        if (action.asText().isEmpty()) {
            errors.required("spec.paramRef.parameterNotFoundAction", "");
        }
        errors.oneOf("spec.paramRef.parameterNotFoundAction", action, "Deny", "Allow");
    }

    private static void actions(JsonNode actions, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < actions.size(); i++) {
            String path = "spec.validationActions[" + i + "]";
            if (!List.of("Audit", "Deny", "Warn").contains(actions.path(i).asText())) {
                errors.notSupported(path, actions.path(i), List.of("Audit", "Deny", "Warn"));
            }
            if (!seen.add(actions.path(i).asText())) {
                errors.duplicate(path, actions.path(i));
            }
        }
        if (seen.contains("Deny") && seen.contains("Warn")) {
            errors.invalid(
                    "spec.validationActions",
                    actions,
                    "must not contain both Deny and Warn (repeating the same validation failure information in the API"
                            + " response and headers serves no purpose)");
        }
        if (seen.isEmpty()) {
            errors.required("spec.validationActions", "");
        }
    }
}
