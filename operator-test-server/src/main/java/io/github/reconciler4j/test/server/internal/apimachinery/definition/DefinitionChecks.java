package io.github.reconciler4j.test.server.internal.apimachinery.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks CustomResourceDefinitions of {@code apiextensions.k8s.io/v1}, defaults filled in. Not checked: the estimated cost
 * of validation rules. Stateless; safe for use by multiple threads.
 */
public final class DefinitionChecks {
    private static final List<String> COLUMN_TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final String APPROVAL = "api-approved.kubernetes.io";

    private DefinitionChecks() {}

    /**
     * Return the errors of a definition.
     *
     * @param before the definition before an update; null for a new one
     */
    public static List<FieldError> check(JsonNode definition, @Nullable JsonNode before) {
        FieldErrors errors = new FieldErrors();
        JsonNode spec = definition.path("spec");
        String name = definition.path("metadata").path("name").asText();
        String group = spec.path("group").asText();
        if (before == null && !name.equals(spec.path("names").path("plural").asText() + "." + group)) {
            errors.invalid("metadata.name", name, "must be spec.names.plural+\".\"+spec.group");
        }
        checkGroup(group, errors);
        checkApproval(definition, group, errors);
        String scope = spec.path("scope").asText();
        if (scope.isEmpty()) {
            errors.required("spec.scope", "");
        } else if (!scope.equals("Namespaced") && !scope.equals("Cluster")) {
            errors.notSupported("spec.scope", spec.path("scope"), List.of("Cluster", "Namespaced"));
        }
        checkNames(spec.path("names"), errors);
        checkConversion(spec, errors);
        checkVersions(definition, errors);
        checkParts(spec.path("versions"), errors);
        if (before != null) {
            checkChange(definition, before, errors);
        }
        return errors;
    }

    private static void checkGroup(String group, FieldErrors errors) {
        if (group.isEmpty()) {
            errors.required("spec.group", "");
            return;
        }
        List<String> problems = Names.dnsSubdomain(group);
        problems.forEach(problem -> errors.invalid("spec.group", group, problem));
        if (problems.isEmpty() && !group.contains(".")) {
            errors.invalid("spec.group", group, "should be a domain with at least one dot");
        }
    }

    private static void checkApproval(JsonNode definition, String group, FieldErrors errors) {
        if (isProtected(group)) {
            String path = "metadata.annotations[" + APPROVAL + "]";
            JsonNode annotation = definition.at("/metadata/annotations").path(APPROVAL);
            String detail = "protected groups must have approval annotation \"" + APPROVAL
                    + "\", see https://github.com/kubernetes/enhancements/pull/1111";
            if (annotation.asText().isEmpty()) {
                errors.required(path, detail);
            } else if (!annotation.asText().startsWith("unapproved") && !isApproved(annotation.asText())) {
                errors.invalid(path, annotation, detail);
            }
        }
    }

    /** Return whether a group belongs to the Kubernetes project. */
    public static boolean isProtected(String group) {
        return group.matches("(.*\\.)?(k8s|kubernetes)\\.io");
    }

    /** Return whether the annotation of a definition in a protected group says where its API has been approved. */
    public static boolean isApproved(String annotation) {
        return annotation.matches("[a-zA-Z][-+.a-zA-Z0-9]*://[^/\\s]\\S*");
    }

    /** Return the annotation about the approval of a definition. */
    public static String approval(JsonNode definition) {
        return definition.at("/metadata/annotations").path(APPROVAL).asText();
    }

    /** Warn about formats that the definition did not have before, and that the server does not know. */
    public static void warn(JsonNode definition, @Nullable JsonNode before, Consumer<String> warnings) {
        Set<String> formats = unknownFormats(definition);
        formats.removeAll(before == null ? Set.of() : unknownFormats(before));
        formats.forEach(format -> warnings.accept("unrecognized format \"" + format + "\""));
    }

    private static Set<String> unknownFormats(JsonNode definition) {
        Set<String> formats = new TreeSet<>();
        for (JsonNode schema : definition.path("spec").findParents("format")) {
            String format = schema.path("format").asText();
            if (Formats.supported(List.of(schema.path("type").asText()), format).isEmpty()) {
                formats.add(format);
            }
        }
        formats.remove("");
        return formats;
    }

    private static void checkNames(JsonNode names, FieldErrors errors) {
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            String value = names.path(field).asText();
            boolean mixed = field.endsWith("ind");
            if (value.isEmpty()) {
                errors.required("spec.names." + field, "");
            } else {
                List<String> problems = Names.dns1035Label(mixed ? value.toLowerCase(Locale.ROOT) : value);
                String prefix = mixed ? "may have mixed case, but should otherwise match: " : "";
                if (!problems.isEmpty()) {
                    errors.invalid("spec.names." + field, value, prefix + String.join(",", problems));
                }
            }
        }
        String kind = names.path("kind").asText();
        if (!kind.isEmpty() && kind.equals(names.path("listKind").asText())) {
            errors.invalid("spec.names.listKind", kind, "kind and listKind may not be the same");
        }
        for (String field : List.of("shortNames", "categories")) {
            for (int i = 0; i < names.path(field).size(); i++) {
                String value = names.path(field).path(i).asText();
                String path = "spec.names." + field + "[" + i + "]";
                Names.dns1035Label(value).forEach(problem -> errors.invalid(path, value, problem));
            }
        }
    }

    private static void checkConversion(JsonNode spec, FieldErrors errors) {
        JsonNode conversion = spec.path("conversion");
        String strategy = conversion.path("strategy").asText();
        if (strategy.equals("Webhook")) {
            JsonNode webhook = conversion.path("webhook");
            if (!webhook.hasNonNull("clientConfig")) {
                errors.required("spec.conversion.webhookClientConfig", "required when strategy is set to Webhook");
            }
            if (webhook.path("conversionReviewVersions").isEmpty()) {
                errors.required("spec.conversion.conversionReviewVersions", "");
            }
        } else if (!strategy.equals("None")) {
            errors.notSupported("spec.conversion.strategy", conversion.path("strategy"), List.of("None", "Webhook"));
        }
        if (spec.path("preserveUnknownFields").asBoolean()) {
            errors.invalid(
                    "spec.preserveUnknownFields",
                    spec.path("preserveUnknownFields"),
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema"
                            + " instead");
        }
    }

    private static void checkVersions(JsonNode definition, FieldErrors errors) {
        JsonNode versions = definition.path("spec").path("versions");
        Set<String> names = new HashSet<>();
        int stored = 0;
        boolean unique = true;
        for (int i = 0; i < versions.size(); i++) {
            JsonNode version = versions.path(i);
            String path = "spec.versions[" + i + "]";
            String name = version.path("name").asText();
            unique &= names.add(name);
            stored += version.path("storage").asBoolean() ? 1 : 0;
            Names.dns1035Label(name).forEach(problem -> errors.invalid(path + ".name", name, problem));
            if (i == 0 && !name.isEmpty()) {
                Names.dns1035Label(name).forEach(problem -> errors.invalid("spec.version", name, problem));
            }
            if (version.hasNonNull("deprecationWarning")
                    && !version.path("deprecated").asBoolean()) {
                errors.invalid(
                        path + ".deprecationWarning",
                        version.path("deprecationWarning"),
                        "can only be set for deprecated versions");
            }
        }
        if (!unique) {
            errors.invalid("spec.versions", versions, "must contain unique version names");
        }
        if (stored != 1) {
            JsonNode shown = versions.isMissingNode() ? NullNode.getInstance() : versions;
            errors.invalid("spec.versions", shown, "must have exactly one version marked as storage version");
        }
        checkStored(definition, names, errors);
    }

    private static void checkStored(JsonNode definition, Set<String> names, FieldErrors errors) {
        JsonNode stored = definition.path("status").path("storedVersions");
        if (stored.isEmpty()) {
            errors.add(new FieldError(
                    "status.storedVersions",
                    "FieldValueInvalid",
                    "Invalid value: null: must have at least one stored version"));
        }
        for (int i = 0; i < stored.size(); i++) {
            String name = stored.path(i).asText();
            if (!names.contains(name)) {
                errors.invalid(
                        "status.storedVersions[" + i + "]",
                        name,
                        "missing from spec.versions; " + name + " was previously a storage version, and must remain in"
                                + " spec.versions until a storage migration ensures no data remains persisted in "
                                + name
                                + " and removes " + name + " from status.storedVersions");
            }
        }
    }

    private static void checkChange(JsonNode definition, JsonNode before, FieldErrors errors) {
        boolean established = false;
        for (JsonNode condition : before.path("status").path("conditions")) {
            established |= condition.path("type").asText().equals("Established")
                    && condition.path("status").asText().equals("True");
        }
        if (!established) {
            return;
        }
        for (String pointer : List.of("/spec/group", "/spec/names/plural", "/spec/scope", "/spec/names/kind")) {
            JsonNode value = definition.at(pointer);
            if (!JsonValues.equal(value, before.at(pointer))) {
                String path = pointer.substring(1).replace('/', '.');
                errors.invalid(path, value.asText(), "field is immutable");
            }
        }
    }

    /** Check each version. kube-apiserver moves parts that all versions share to the top before it checks them. */
    private static void checkParts(JsonNode versions, FieldErrors errors) {
        for (String part : List.of("schema", "subresources", "additionalPrinterColumns", "selectableFields")) {
            JsonNode first = versions.path(0).path(part);
            boolean isCommon = true;
            for (JsonNode version : versions) {
                isCommon &= JsonValues.equal(first, version.path(part));
            }
            for (int i = 0; i < versions.size(); i++) {
                if (!isCommon || i == 0) {
                    String path = isCommon ? "spec." + part : "spec.versions[" + i + "]." + part;
                    checkPart(part, versions.path(i), path, errors);
                } else if (part.equals("schema")
                        && !first.path("openAPIV3Schema").isObject()) {
                    errors.required("spec.versions[" + i + "].schema.openAPIV3Schema", "");
                }
            }
        }
    }

    private static void checkPart(String part, JsonNode version, String path, FieldErrors errors) {
        JsonNode value = version.path(part);
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        if (part.equals("schema") && schema.isObject()) {
            SchemaChecks.check(schema, path.replace("spec.schema", "spec.validation") + ".openAPIV3Schema", errors);
        } else if (part.equals("schema")) {
            errors.required(path.replace("spec.schema", "spec.versions[0].schema") + ".openAPIV3Schema", "");
        } else if (value.has("scale")) {
            checkPath(value.path("scale"), "specReplicasPath", path + ".scale", ".spec.", errors);
            checkPath(value.path("scale"), "statusReplicasPath", path + ".scale", ".status.", errors);
            if (value.path("scale").has("labelSelectorPath")) {
                checkPath(value.path("scale"), "labelSelectorPath", path + ".scale", ".", errors);
            }
        }
        Set<String> selectable = new HashSet<>();
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            JsonNode item = value.path(i);
            String at = path + "[" + i + "]";
            if (part.equals("additionalPrinterColumns")) {
                checkPath(item, "jsonPath", at, ".", errors);
                if (item.path("name").asText().isEmpty()) {
                    errors.required(at + ".name", "");
                }
                String type = item.path("type").asText();
                if (type.isEmpty()) {
                    errors.required(at + ".type", "must be one of " + COLUMN_TYPES);
                } else if (!COLUMN_TYPES.contains(type)) {
                    errors.invalid(at + ".type", type, "must be one of " + COLUMN_TYPES);
                }
            } else {
                checkSelectable(item, schema, at + ".jsonPath", errors);
                if (!item.path("jsonPath").asText().isEmpty()
                        && !selectable.add(item.path("jsonPath").asText())) {
                    errors.duplicate(at + ".jsonPath", item.path("jsonPath"));
                }
            }
        }
    }

    private static void checkPath(JsonNode holder, String field, String path, String prefix, FieldErrors errors) {
        String value = holder.path(field).asText();
        String at = path + "." + (field.equals("jsonPath") ? "JSONPath" : field);
        if (value.isEmpty()) {
            errors.required(at, "");
        } else if (!value.startsWith(prefix)) {
            errors.invalid(at, value, "should be a json path that starts with " + prefix);
        }
    }

    private static void checkSelectable(JsonNode field, JsonNode schema, String path, FieldErrors errors) {
        String json = field.path("jsonPath").asText();
        if (json.isEmpty()) {
            errors.required(path, "");
            return;
        }
        boolean isPath = json.matches("(\\.[^.\\[\\]{}'/]+)+");
        String type = isPath
                ? schema.at(json.replace(".", "/properties/")).path("type").asText()
                : "";
        if (json.startsWith(".metadata.")
                || !List.of("string", "boolean", "integer").contains(type)) {
            errors.invalid(path, json, "must point to a field of type string, boolean or integer");
        }
    }
}
