package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The differences that are accepted, each with a reason; read from {@code known-differences.yaml}. Immutable. */
record KnownDifferences(List<Entry> entries) {
    /**
     * One of them.
     *
     * @param topic what differs, as the documentation says it
     * @param reason what this server does, and why
     * @param until the last version that differs, such as 31, if later ones do not; otherwise 0
     * @param places where; {@code *} stands for anything
     */
    record Entry(String topic, String reason, int until, List<String> places) {
        boolean covers(Difference difference) {
            return places.stream().anyMatch(place -> matches(place, difference));
        }

        /** Whether a version differs. */
        boolean isFor(int minor) {
            return until == 0 || minor <= until;
        }

        private static boolean matches(String place, Difference difference) {
            String pattern =
                    Arrays.stream(place.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
            return difference.where().matches(pattern);
        }

        /** The places that none of the differences is at. */
        List<String> unused(List<Difference> differences) {
            return places.stream()
                    .filter(place -> differences.stream().noneMatch(difference -> matches(place, difference)))
                    .toList();
        }

        /** The row of the table in the documentation. */
        String row() {
            return "| " + topic + " | " + reason + " |";
        }
    }

    static KnownDifferences read() {
        String name = "known-differences.yaml";
        try (InputStream text = KnownDifferences.class.getResourceAsStream(name)) {
            List<Entry> entries = new ArrayList<>();
            for (JsonNode entry : new YAMLMapper().readTree(Objects.requireNonNull(text, name))) {
                List<String> places = new ArrayList<>();
                entry.path("places").forEach(place -> places.add(place.asText()));
                entries.add(new Entry(
                        entry.path("topic").asText(),
                        entry.path("reason").asText(),
                        Integer.parseInt(entry.path("until").asText("1.0").substring(2)),
                        places));
            }
            return new KnownDifferences(entries);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns those of a version. */
    KnownDifferences of(int minor) {
        return new KnownDifferences(
                entries.stream().filter(entry -> entry.isFor(minor)).toList());
    }

    boolean covers(Difference difference) {
        return entries.stream().anyMatch(entry -> entry.covers(difference));
    }
}
