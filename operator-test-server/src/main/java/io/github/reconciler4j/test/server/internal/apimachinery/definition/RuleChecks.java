package io.github.reconciler4j.test.server.internal.apimachinery.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions.InvalidExpressionException;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions.Result;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks what webhooks and admission policies have in common: rules and match conditions. Stateless; safe for use by multiple threads. */
final class RuleChecks {
    private static final int MAX_CONDITIONS = 64;

    private RuleChecks() {}

    /** Check a rule with operations. */
    static void rule(JsonNode rule, String path, FieldErrors errors) {
        list(rule, "operations", "operations", path, errors);
        for (int i = 0; i < rule.path("operations").size(); i++) {
            JsonNode operation = rule.path("operations").path(i);
            if (!List.of("*", "CREATE", "UPDATE", "DELETE", "CONNECT").contains(operation.asText())) {
                errors.notSupported(
                        path + ".operations[" + i + "]",
                        operation,
                        List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE"));
            }
        }
        list(rule, "apiGroups", "API groups", path, errors);
        list(rule, "apiVersions", "API versions", path, errors);
        for (int i = 0; i < rule.path("apiVersions").size(); i++) {
            if (rule.path("apiVersions").path(i).asText().isEmpty()) {
                errors.required(path + ".apiVersions[" + i + "]", "");
            }
        }
        resources(rule.path("resources"), path + ".resources", errors);
        JsonNode scope = rule.path("scope");
        if (scope.isTextual() && !List.of("*", "Cluster", "Namespaced").contains(scope.asText())) {
            errors.notSupported(path + ".scope", scope, List.of("*", "Cluster", "Namespaced"));
        }
    }

    private static void list(JsonNode rule, String field, String what, String path, FieldErrors errors) {
        JsonNode list = rule.path(field);
        if (list.isEmpty()) {
            errors.required(path + "." + field, "");
        } else if (list.size() > 1 && Json.texts(rule, field).contains("*")) {
            errors.invalid(path + "." + field, list, "if '*' is present, must not specify other " + what);
        }
    }

    private static void resources(JsonNode resources, String path, FieldErrors errors) {
        if (resources.isEmpty()) {
            errors.required(path, "");
        }
        boolean plain = false;
        boolean all = false;
        boolean everything = false;
        for (JsonNode resource : resources) {
            String text = resource.asText();
            everything |= text.equals("*/*");
            all |= text.equals("*");
            if (!text.isEmpty() && !text.contains("/")) {
                plain = !text.equals("*");
            }
        }
        parts(resources, path, errors);
        if (resources.size() > 1 && everything) {
            errors.invalid(path, resources, "if '*/*' is present, must not specify other resources");
        }
        if (all && plain) {
            errors.invalid(path, resources, "if '*' is present, must not specify other resources without subresources");
        }
    }

    /** Check that no subresource is named that an earlier wildcard covers. */
    private static void parts(JsonNode resources, String path, FieldErrors errors) {
        Set<String> withAllParts = new HashSet<>();
        Set<String> ofAllResources = new HashSet<>();
        for (int i = 0; i < resources.size(); i++) {
            String text = resources.path(i).asText();
            String at = path + "[" + i + "]";
            int slash = text.indexOf('/');
            if (text.isEmpty()) {
                errors.required(at, "");
            }
            if (slash < 0) {
                continue;
            }
            String resource = text.substring(0, slash);
            String part = text.substring(slash + 1);
            if (withAllParts.contains(resource)) {
                errors.invalid(at, text, "if '" + resource + "/*' is present, must not specify " + text);
            }
            if (ofAllResources.contains(part)) {
                errors.invalid(at, text, "if '*/" + part + "' is present, must not specify " + text);
            }
            if (part.equals("*")) {
                withAllParts.add(resource);
            }
            if (resource.equals("*")) {
                ofAllResources.add(part);
            }
        }
    }

    /** Check match conditions; {@code params} is whether they can name {@code params}. */
    static void conditions(JsonNode conditions, boolean params, String path, FieldErrors errors) {
        if (conditions.size() > MAX_CONDITIONS) {
            errors.add(FieldError.tooMany(path, conditions.size(), MAX_CONDITIONS));
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < conditions.size(); i++) {
            JsonNode condition = conditions.path(i);
            String at = path + "[" + i + "]";
            String text = condition.path("expression").asText().trim();
            expression(new AdmissionExpressions(params), text, Result.BOOL, "", at + ".expression", errors);
            String name = condition.path("name").asText();
            if (name.isEmpty()) {
                errors.required(at + ".name", "");
            } else {
                errors.invalid(at + ".name", name, Names.labelKey(name));
                if (!names.add(name)) {
                    errors.duplicate(at + ".name", condition.path("name"));
                }
            }
        }
    }

    /** Check an expression; {@code missing} is the detail for a missing one. */
    static void expression(
            AdmissionExpressions compiler,
            String text,
            Result result,
            String missing,
            String path,
            FieldErrors errors) {
        if (text.isBlank()) {
            errors.required(path, missing);
            return;
        }
        try {
            compiler.compile(text, result);
        } catch (InvalidExpressionException e) {
            errors.invalid(path, text, e.getMessage());
        }
    }
}
