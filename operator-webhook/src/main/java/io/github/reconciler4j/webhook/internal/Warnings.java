package io.github.reconciler4j.webhook.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes warnings fit what the API server delivers. It drops a warning with control characters without a notice. Once all
 * warnings together have more than {@value #MAX_TOTAL} characters, it cuts each to {@value #MAX_EACH}, and drops the rest.
 */
final class Warnings {

    static final int MAX_TOTAL = 4096;
    static final int MAX_EACH = 256;

    /** More of a warning is not even read. */
    private static final int MAX_CONSIDERED = 4 * MAX_TOTAL;

    private Warnings() {}

    static List<String> fit(List<String> warnings) {
        List<String> lines = new ArrayList<>();
        int total = 0;
        for (String warning : warnings.subList(0, Math.min(warnings.size(), MAX_TOTAL))) {
            String line = Texts.cut(warning, MAX_CONSIDERED)
                    .replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " ")
                    .strip();
            if (!line.isEmpty()) {
                lines.add(line);
                total += line.codePointCount(0, line.length());
            }
        }
        return total <= MAX_TOTAL ? lines : cut(lines);
    }

    private static List<String> cut(List<String> lines) {
        List<String> fitting = new ArrayList<>();
        int left = MAX_TOTAL;
        for (String line : lines) {
            int length = Math.min(line.codePointCount(0, line.length()), Math.min(MAX_EACH, left));
            if (length == 0) {
                break;
            }
            fitting.add(line.substring(0, line.offsetByCodePoints(0, length)));
            left -= length;
        }
        return fitting;
    }
}
