package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private static final Set<String> STANDARD_FINALIZERS =
            Set.of(Removal.FOREGROUND, Removal.ORPHAN, "kubernetes", "customresourcecleanup.apiextensions.k8s.io");
    private static final String NAME_RULE =
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
                    + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final String VALUE_RULE =
            "a valid label must be an empty string or consist of alphanumeric characters,"
                    + " '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value', "
                    + " or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

    private MetadataChecks() {}

    static List<FieldError> common(ResourceType type, ObjectNode object) {
        List<FieldError> causes = new ArrayList<>();
        labels(Json.stringMap(object, "metadata", "labels"), causes);
        annotations(Json.stringMap(object, "metadata", "annotations"), causes);
        causes.addAll(OwnerChecks.check(Json.items(object, "metadata", "ownerReferences")));
        finalizers(type, Json.texts(object, "metadata", "finalizers"), causes);
        return causes;
    }

    /** Tells of finalizers that others could use by accident, as the server does for custom resources. */
    static void warnAboutFinalizers(ResourceType type, ObjectNode object, WriteContext context) {
        if (type.custom() == null) {
            return;
        }
        for (String finalizer : Json.texts(object, "metadata", "finalizers")) {
            if (!finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer)) {
                context.warnings()
                        .accept("metadata.finalizers: " + FieldError.quoted(finalizer) + ": prefer a domain-qualified"
                                + " finalizer name to avoid accidental conflicts with other finalizer writers");
            }
        }
    }

    private static void labels(Map<String, String> labels, List<FieldError> causes) {
        labels.forEach((key, value) -> {
            for (String problem : qualifiedName(key, "label key")) {
                causes.add(FieldError.invalid("metadata.labels", key, problem));
            }
            for (String problem : labelValue(value)) {
                causes.add(FieldError.invalid("metadata.labels", value, problem));
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

    private static void annotations(Map<String, String> annotations, List<FieldError> causes) {
        long size = 0;
        for (Map.Entry<String, String> annotation : annotations.entrySet()) {
            String key = annotation.getKey().toLowerCase(java.util.Locale.ROOT);
            for (String problem : qualifiedName(key)) {
                causes.add(FieldError.invalid("metadata.annotations", annotation.getKey(), problem));
            }
            size += annotation.getKey().getBytes(StandardCharsets.UTF_8).length
                    + annotation.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > MAX_ANNOTATIONS) {
            causes.add(new FieldError(
                    "metadata.annotations", "FieldValueTooLong", "Too long: may not be more than 262144 bytes"));
        }
    }

    private static List<String> qualifiedName(String key) {
        return qualifiedName(key, "qualified name");
    }

    private static List<String> qualifiedName(String key, String what) {
        List<String> problems = new ArrayList<>();
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        if (slash >= 0) {
            prefix(key.substring(0, slash), problems);
        }
        if (name.contains("/")) {
            return List.of("a " + (what.startsWith("label") ? "valid " : "") + what
                    + " must consist of alphanumeric characters, '-', '_' or '.', and must start and"
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

    private static void finalizers(ResourceType type, List<String> finalizers, List<FieldError> causes) {
        for (String finalizer : finalizers) {
            for (String problem : qualifiedName(finalizer)) {
                causes.add(FieldError.invalid("metadata.finalizers", finalizer, problem));
            }
        }
        if (finalizers.containsAll(List.of(Removal.FOREGROUND, Removal.ORPHAN))) {
            causes.add(FieldError.invalid(
                    "metadata.finalizers",
                    Json.strings(finalizers).toString(),
                    "finalizer " + Removal.ORPHAN + " and " + Removal.FOREGROUND + " cannot be both set"));
        }
        for (int i = 0; i < finalizers.size() && type.custom() == null; i++) {
            String finalizer = finalizers.get(i);
            if (!finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer)) {
                causes.add(FieldError.invalid(
                        "metadata.finalizers[" + i + "]",
                        finalizer,
                        "name is neither a standard finalizer name nor is it fully qualified"));
            }
        }
    }
}
