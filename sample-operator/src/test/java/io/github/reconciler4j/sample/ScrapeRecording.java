package io.github.reconciler4j.sample;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What a Prometheus stores that scrapes operators once a minute: the names, labels and values are those of the scrapes, with the
 * labels of the targets. Used by one thread.
 */
final class ScrapeRecording {

    /** What Prometheus stores when a series is gone. */
    private static final String STALE = "stale";

    private static final String NONE = "_";
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)$");

    private final Predicate<String> metrics;
    private final Map<String, Map<Integer, String>> series = new LinkedHashMap<>();
    private final Set<String> names = new TreeSet<>();
    private int minutes;

    /** Creates a recording of some metrics. */
    ScrapeRecording(Predicate<String> metrics) {
        this.metrics = metrics;
    }

    /** Adds a minute. A pod that does not answer has no scrape. */
    void add(Map<String, Optional<String>> scrapeByPod) {
        scrapeByPod.forEach((pod, scrape) -> scrape.ifPresent(text -> SAMPLE.matcher(text)
                .results()
                .filter(sample -> metrics.test(sample.group(1)))
                .forEach(sample -> {
                    names.add(sample.group(1));
                    String labels = sample.group(2) == null ? "" : ", " + sample.group(2);
                    String name = "%s{job=\"operators\", namespace=\"operators\", pod=\"%s\"%s}"
                            .formatted(sample.group(1), pod, labels);
                    series.computeIfAbsent(name, added -> new TreeMap<>()).put(minutes, sample.group(3));
                })));
        minutes++;
    }

    /** The number of minutes so far. */
    int minutes() {
        return minutes;
    }

    /** The names of the metrics. */
    Set<String> names() {
        return names;
    }

    /** The series as promtool reads them. */
    List<Map<String, String>> input() {
        List<Map<String, String>> input = new ArrayList<>();
        series.forEach((name, values) -> input.add(Map.of("series", name, "values", values(values))));
        return input;
    }

    private String values(Map<Integer, String> known) {
        List<String> values = new ArrayList<>();
        for (int minute = 0; minute < minutes; minute++) {
            values.add(known.getOrDefault(minute, known.containsKey(minute - 1) ? STALE : NONE));
        }
        return String.join(" ", values);
    }
}
