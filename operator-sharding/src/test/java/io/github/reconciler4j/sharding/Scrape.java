package io.github.reconciler4j.sharding;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The metrics in a scrape, by their names. */
final class Scrape {

    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\w+) (\\w+)$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    private final Map<String, Metric> metrics = new TreeMap<>();

    /** One metric: its type, the names of its labels, and the upper bounds of its buckets. */
    record Metric(String type, Set<String> labels, Set<Double> buckets) {}

    private Scrape() {}

    static Scrape of(String text) {
        Scrape scrape = new Scrape();
        TYPE.matcher(text)
                .results()
                .forEach(type ->
                        scrape.metrics.put(type.group(1), new Metric(type.group(2), new TreeSet<>(), new TreeSet<>())));
        text.lines().filter(line -> !line.startsWith("#")).forEach(scrape::sample);
        return scrape;
    }

    private void sample(String line) {
        String name = line.split("[{ ]", 2)[0];
        Metric metric = metrics.get(name);
        if (metric == null) {
            metric = metrics.get(name.replaceAll("_(bucket|count|sum)$", ""));
        }
        if (metric == null || !line.contains("{")) {
            return;
        }
        for (MatchResult label :
                LABEL.matcher(line.substring(line.indexOf('{'))).results().toList()) {
            if (!label.group(1).equals("le")) {
                metric.labels().add(label.group(1));
            } else if (!label.group(2).equals("+Inf")) {
                metric.buckets().add(Double.valueOf(label.group(2)));
            }
        }
    }

    Map<String, Metric> metrics() {
        return metrics;
    }
}
