package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** The rules for what ConfigMaps and Secrets carry: how keys may look, and how much it may be. */
final class DataRules {
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");
    private static final int MAX_BYTES = 1024 * 1024;
    private static final String KEY_RULE = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
            + " (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

    private DataRules() {}

    static List<FieldError> check(ResourceType type, ObjectNode object) {
        return switch (type.id().toString()) {
            case "configmaps" -> check(object, "[]", List.of("data", "binaryData"));
            case "secrets" -> check(object, "data", List.of("data"));
            default -> List.of();
        };
    }

    private static List<FieldError> check(ObjectNode object, String whole, List<String> fields) {
        List<FieldError> causes = new ArrayList<>();
        long size = 0;
        for (String field : fields) {
            for (var entry : object.path(field).properties()) {
                String key = entry.getKey();
                if (!KEY.matcher(key).matches()) {
                    String place = field + "[" + key + "]";
                    causes.add(FieldError.invalid(place, key, KEY_RULE));
                }
                boolean encoded = field.equals("binaryData") || whole.equals("data");
                size += bytes(entry.getValue(), encoded);
            }
        }
        if (size > MAX_BYTES) {
            String message = "Too long: may not be more than " + MAX_BYTES + " bytes";
            causes.add(new FieldError(whole, "FieldValueTooLong", message));
        }
        return causes;
    }

    private static long bytes(JsonNode value, boolean encoded) {
        String text = value.asText();
        return encoded ? Base64.getDecoder().decode(text).length : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
