package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.CelNames;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values as rules see them. Stateless; safe for use by multiple threads. */
final class CelValues {
    private CelValues() {}

    /** Return the value of a schema; {@code resource} is whether it is a whole object. */
    static Object of(JsonNode value, JsonNode schema, boolean resource) {
        return switch (value.getNodeType()) {
            case OBJECT -> object(value, schema, resource);
            case ARRAY -> {
                List<Object> list = new ArrayList<>();
                value.forEach(item -> list.add(of(item, schema.path("items"), false)));
                yield list;
            }
            case NUMBER -> number(value, schema);
            case BOOLEAN -> value.booleanValue();
            case NULL, MISSING -> NullValue.NULL_VALUE;
            default -> text(value.asText(), schema.path("format").asText());
        };
    }

    private static Object number(JsonNode value, JsonNode schema) {
        boolean whole =
                value.isIntegralNumber() && !schema.path("type").asText().equals("number");
        if (whole || schema.path("type").asText().equals("integer")) {
            return value.longValue();
        }
        return value.doubleValue();
    }

    private static Object text(String text, String format) {
        try {
            return switch (format) {
                case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
                case "duration" -> CelDurations.parse(text);
                case "date" -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC);
                case "date-time" -> OffsetDateTime.parse(text).toInstant();
                default -> text;
            };
        } catch (DateTimeException | IllegalArgumentException e) {
            return text;
        }
    }

    private static Map<String, Object> object(JsonNode value, JsonNode schema, boolean resource) {
        Map<String, Object> map = new LinkedHashMap<>();
        JsonNode values = schema.path("additionalProperties");
        JsonNode properties = schema.path("properties");
        value.properties().forEach(field -> {
            if (values.isObject()) {
                map.put(field.getKey(), of(field.getValue(), values, false));
            } else if (properties.has(field.getKey())) {
                CelNames.escaped(field.getKey())
                        .ifPresent(name -> map.put(name, of(field.getValue(), properties.path(field.getKey()), false)));
            }
        });
        if (resource || schema.path("x-kubernetes-embedded-resource").asBoolean()) {
            map.put("apiVersion", value.path("apiVersion").asText());
            map.put("kind", value.path("kind").asText());
            Map<String, Object> metadata = new LinkedHashMap<>();
            for (String field : List.of("name", "generateName")) {
                if (value.path("metadata").has(field)) {
                    metadata.put(field, value.path("metadata").path(field).asText());
                }
            }
            map.put("metadata", metadata);
        }
        return map;
    }

    /** Lengths of time in the server's spelling, such as {@code 1h30m}. */
    static final class CelDurations {
        private static final Map<String, Long> UNITS = Map.of(
                "ns",
                1L,
                "us",
                1_000L,
                "µs",
                1_000L,
                "ms",
                1_000_000L,
                "s",
                1_000_000_000L,
                "m",
                60_000_000_000L,
                "h",
                3_600_000_000_000L);
        private static final Pattern PART = Pattern.compile("([0-9]*\\.?[0-9]+)(ns|us|µs|ms|s|m|h)");

        private CelDurations() {}

        static Duration parse(String text) {
            boolean negative = text.startsWith("-");
            Matcher matcher = PART.matcher(text);
            double nanos = 0;
            while (matcher.find()) {
                nanos += Double.parseDouble(matcher.group(1)) * UNITS.getOrDefault(matcher.group(2), 0L);
            }
            return Duration.ofNanos(Math.round(negative ? -nanos : nanos));
        }
    }
}
