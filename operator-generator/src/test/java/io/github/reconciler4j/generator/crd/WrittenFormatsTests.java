package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.generator.crd.WrittenCases.Field;
import io.github.reconciler4j.generator.crd.WrittenSources.Style;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Each type whose form {@code @JsonFormat} changes, with each of its values: what Jackson writes and reads again is kept by the
 * server, and what it cannot write or reads as something else is refused, with the name of the field.
 */
class WrittenFormatsTests {

    private static final List<String> TYPES = List.of(
            "Instant | Instant.parse(\"2026-01-02T03:04:05.123456789Z\")",
            "OffsetDateTime | OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 123_456_789, ZoneOffset.ofHours(2))",
            "ZonedDateTime | ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 123_456_789, ZoneOffset.ofHours(2))",
            "LocalDateTime | LocalDateTime.of(2026, 1, 2, 3, 4, 5, 123_456_789)",
            "LocalDate | LocalDate.of(2026, 1, 2)",
            "LocalTime | LocalTime.of(3, 4, 5, 123_456_789)",
            "OffsetTime | OffsetTime.of(3, 4, 5, 123_456_789, ZoneOffset.ofHours(2))",
            "Year | Year.of(2026)",
            "YearMonth | YearMonth.of(2026, 1)",
            "MonthDay | MonthDay.of(1, 2)",
            "Duration | Duration.ofDays(1).plusSeconds(5).plusMillis(7)",
            "Period | Period.of(1, 2, 3)",
            "Date | new Date(1_700_000_000_123L)",
            "Calendar | calendar()",
            "ZoneOffset | ZoneOffset.ofHours(2)",
            "ZoneId | ZoneId.of(\"Europe/Berlin\")",
            "Month | Month.MAY",
            "Color | Color.GREEN",
            "Level | Level.HIGH",
            "boolean | true",
            "Integer | 7",
            "long | 5_000_000_000L",
            "Double | 1.5",
            "BigDecimal | new BigDecimal(\"1.25\")",
            "BigInteger | BigInteger.valueOf(Long.MAX_VALUE)",
            "AtomicInteger | new AtomicInteger(4)",
            "UUID | new UUID(1, 2)",
            "byte[] | new byte[] {1, 2}",
            "char[] | \"ab\".toCharArray()",
            "URI | URI.create(\"https://example.com\")",
            "Locale | Locale.GERMANY");

    private static final List<String> FORMATS = List.of(
            "shape = JsonFormat.Shape.STRING",
            "shape = JsonFormat.Shape.NUMBER",
            "shape = JsonFormat.Shape.NUMBER_INT",
            "shape = JsonFormat.Shape.NUMBER_FLOAT",
            "shape = JsonFormat.Shape.ARRAY",
            "shape = JsonFormat.Shape.OBJECT",
            "shape = JsonFormat.Shape.SCALAR",
            "shape = JsonFormat.Shape.BOOLEAN",
            "shape = JsonFormat.Shape.NATURAL",
            "shape = JsonFormat.Shape.BINARY",
            "shape = JsonFormat.Shape.NUMBER, without = JsonFormat.Feature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS",
            "shape = JsonFormat.Shape.NUMBER_INT, without = {JsonFormat.Feature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS,"
                    + " JsonFormat.Feature.READ_DATE_TIMESTAMPS_AS_NANOSECONDS}",
            "with = JsonFormat.Feature.WRITE_DATES_WITH_ZONE_ID",
            "with = JsonFormat.Feature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE",
            "pattern = \"yyyy\"",
            "pattern = \"yyyy-MM-dd\"",
            "pattern = \"yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS\"",
            "pattern = \"yyyy-MM-dd'T'HH:mm:ssXXX\"",
            "pattern = \"yyyyMMdd\", timezone = \"UTC\"",
            "pattern = \"dd.MM.yyyy HH:mm\", timezone = \"Europe/Berlin\"",
            "pattern = \"HH:mm\"",
            "pattern = \"EEEE, d MMMM yyyy\", locale = \"de\"",
            "pattern = \"yyyy-MM\"",
            "pattern = \"HOURS\"",
            "timezone = \"Asia/Tokyo\"",
            "lenient = OptBoolean.FALSE");

    private static List<Field> fields() {
        List<Field> fields = new ArrayList<>();
        for (String type : TYPES) {
            String[] parts = type.split(" \\| ");
            String value = parts[1].replace(
                    "calendar()", "GregorianCalendar.from(ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC))");
            for (String format : FORMATS) {
                fields.add(new Field("@JsonFormat(" + format + ")", parts[0], value));
            }
        }
        return fields;
    }

    /** Return whether Jackson writes the sample, reads it, and writes the same again. */
    private static boolean isKeptByJackson(HasMetadata sample) {
        try {
            JsonNode written = spec(sample);
            return spec(WrittenOracle.MAPPER.readValue(
                            WrittenOracle.MAPPER.writeValueAsBytes(sample), sample.getClass()))
                    .equals(written);
        } catch (Exception e) {
            return false;
        }
    }

    private static JsonNode spec(HasMetadata object) throws Exception {
        return WrittenOracle.MAPPER
                .readTree(WrittenOracle.MAPPER.writeValueAsBytes(object))
                .path("spec");
    }

    @Test
    void valueWhenInAnyFormatIsKeptOrRefusedByItsField() throws Exception {
        List<Field> fields = fields();
        Map<String, String> sources = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            Style style = Style.values()[i % 3];
            sources.put(
                    WrittenSources.PACKAGE + ".Format" + i,
                    WrittenSources.of("Format" + i, style, List.of(fields.get(i))));
        }
        CompiledSources classes = CompiledSources.of(sources);
        List<String> wrong = new ArrayList<>();
        try (WrittenOracle oracle = new WrittenOracle()) {
            IntStream.range(0, fields.size()).forEach(i -> {
                String problem = problem(oracle, classes, "Format" + i);
                if (!problem.isEmpty()) {
                    wrong.add(fields.get(i) + ": " + problem);
                }
            });
        }
        assertThat(wrong).isEmpty();
    }

    private static String problem(WrittenOracle oracle, CompiledSources classes, String kind) {
        try {
            boolean kept = isKeptByJackson(WrittenOracle.sample(classes, kind));
            Optional<String> refusal = oracle.refusal(WrittenOracle.sample(classes, kind));
            boolean isMixed = refusal.filter(reason -> reason.contains("Untyped collection field0"))
                    .isPresent(); // an array of numbers and a text, for which there is no schema
            if (kept && refusal.isPresent() && !isMixed) {
                return "refused, although Jackson keeps it: " + refusal.get();
            }
            if (!kept && refusal.isEmpty()) {
                return "not refused, although Jackson does not keep it";
            }
            return refusal.isPresent() && !refusal.get().contains("field0") ? "no field: " + refusal.get() : "";
        } catch (AssertionError | Exception e) {
            return e.toString().lines().findFirst().orElse("");
        }
    }
}
