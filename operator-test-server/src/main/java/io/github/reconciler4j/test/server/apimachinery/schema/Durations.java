package io.github.reconciler4j.test.server.apimachinery.schema;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Locale;

/** Durations as the server reads them: {@code 1h30m}, or words such as {@code 3 days}. */
final class Durations {

    private static final Pattern PLAIN = Pattern.compile("[-+]?(0|((\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+)");
    private static final Pattern WORDS = Pattern.compile("(\\d+)\\s*([A-Za-zµ]+)");
    private static final List<String> UNITS = List.of("ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk");
    private static final List<String> PREFIXES = List.of("nano", "micro", "milli", "sec", "min", "hour", "day", "week");

    private Durations() {}

    static boolean isDuration(String text) {
        if (PLAIN.matches(text)) {
            return true;
        }
        Matcher matcher = WORDS.matcher(text);
        while (matcher.find()) {
            String unit = matcher.group(2).toLowerCase(Locale.ROOT);
            if (UNITS.contains(unit) || PREFIXES.stream().anyMatch(unit::startsWith)) {
                return true;
            }
        }
        return false;
    }
}
