package io.github.reconciler4j.test.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.internal.error.StatusCause;
import io.github.reconciler4j.test.internal.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The rules for labels, annotations, finalizers and owner references. */
final class MetadataChecks {
    private static final Pattern QUALIFIED_NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern LABEL_VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final int MAX_NAME = 63;
    private static final int MAX_PREFIX = 253;
    private static final int MAX_ANNOTATIONS = 256 * 1024;
    private static final String NAME_RULE =
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
                    + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final String VALUE_RULE =
            "a valid label must be an empty string or consist of alphanumeric characters,"
                    + " '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value', "
                    + " or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

    private MetadataChecks() {}

    static List<StatusCause> common(ObjectNode object) {
        List<StatusCause> causes = new ArrayList<>();
        labels(Json.stringMap(object, "metadata", "labels"), causes);
        annotations(Json.stringMap(object, "metadata", "annotations"), causes);
        owners(Json.items(object, "metadata", "ownerReferences"), causes);
        finalizers(Json.texts(object, "metadata", "finalizers"), causes);
        return causes;
    }

    private static void labels(Map<String, String> labels, List<StatusCause> causes) {
        labels.forEach((key, value) -> {
            for (String problem : qualifiedName(key)) {
                causes.add(StatusCause.invalid("metadata.labels", StatusCause.quoted(key), problem));
            }
            for (String problem : labelValue(value)) {
                causes.add(StatusCause.invalid("metadata.labels", StatusCause.quoted(value), problem));
            }
        });
    }

    private static List<String> labelValue(String value) {
        List<String> problems = new ArrayList<>();
        if (value.length() > MAX_NAME) {
            problems.add("must be no more than 63 bytes");
        }
        if (!LABEL_VALUE.matcher(value).matches()) {
            problems.add(VALUE_RULE);
        }
        return problems;
    }

    private static void annotations(Map<String, String> annotations, List<StatusCause> causes) {
        long size = 0;
        for (Map.Entry<String, String> annotation : annotations.entrySet()) {
            String key = annotation.getKey().toLowerCase(java.util.Locale.ROOT);
            for (String problem : qualifiedName(key)) {
                causes.add(
                        StatusCause.invalid("metadata.annotations", StatusCause.quoted(annotation.getKey()), problem));
            }
            size += annotation.getKey().getBytes(StandardCharsets.UTF_8).length
                    + annotation.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > MAX_ANNOTATIONS) {
            causes.add(new StatusCause(
                    "FieldValueTooLong", "Too long: may not be more than 262144 bytes", "metadata.annotations"));
        }
    }

    private static List<String> qualifiedName(String key) {
        List<String> problems = new ArrayList<>();
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        if (slash >= 0) {
            prefix(key.substring(0, slash), problems);
        }
        if (name.contains("/")) {
            return List.of(
                    "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and"
                            + " end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
                            + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix"
                            + " and '/' (e.g. 'example.com/MyName')");
        }
        if (name.isEmpty()) {
            problems.add("name part must be non-empty");
        } else if (name.length() > MAX_NAME) {
            problems.add("name part must be no more than 63 bytes");
        }
        if (!QUALIFIED_NAME.matcher(name).matches()) {
            problems.add(NAME_RULE);
        }
        return problems;
    }

    private static void prefix(String prefix, List<String> problems) {
        if (prefix.isEmpty()) {
            problems.add("prefix part must be non-empty");
        } else if (prefix.length() > MAX_PREFIX || !SUBDOMAIN.matcher(prefix).matches()) {
            problems.add(
                    "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                            + " '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex"
                            + " used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
        }
    }

    private static void owners(List<JsonNode> owners, List<StatusCause> causes) {
        int controllers = 0;
        for (int i = 0; i < owners.size(); i++) {
            JsonNode owner = owners.get(i);
            for (String field : List.of("apiVersion", "kind", "name", "uid")) {
                if (Json.text(owner, field).isEmpty()) {
                    String detail = field.equals("apiVersion") ? "version must not be empty" : "must not be empty";
                    causes.add(StatusCause.invalid("metadata.ownerReferences." + field, "\"\"", detail));
                }
            }
            if (owner.path("controller").asBoolean()) {
                controllers++;
            }
        }
        if (controllers > 1) {
            causes.add(new StatusCause(
                    "FieldValueInvalid",
                    "Invalid value: Only one reference can have Controller set to true",
                    "metadata.ownerReferences"));
        }
    }

    private static void finalizers(List<String> finalizers, List<StatusCause> causes) {
        for (String finalizer : finalizers) {
            for (String problem : qualifiedName(finalizer)) {
                causes.add(StatusCause.invalid("metadata.finalizers", StatusCause.quoted(finalizer), problem));
            }
        }
    }
}
