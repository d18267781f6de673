package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/**
 * A column of a table.
 *
 * @param type {@code string}, {@code integer}, {@code date} and so on
 * @param format {@code name} for the column of the name, may be empty
 * @param priority 0 for a column that is always shown, more for wide output
 * @param cell returns the cell of an object
 */
record Column(String name, String type, String format, String description, int priority, Cell cell) {
    static final Column NAME = new Column(
            "Name",
            "string",
            "name",
            "Name must be unique within a namespace.",
            0,
            (object, now) -> TextNode.valueOf(Json.text(object, "metadata", "name")));

    /** Returns the cell of an object. */
    @FunctionalInterface
    interface Cell {
        JsonNode of(ObjectNode object, Instant now);
    }

    /** Durations as people read them: {@code 42s}, {@code 3m7s}, {@code 5d2h}. */
    static final class Ages {
        private static final long MINUTE = 60;
        private static final long HOUR = 60 * MINUTE;
        private static final long DAY = 24 * HOUR;
        private static final long YEAR = 365 * DAY;

        private Ages() {}

        /** Return the time since then; {@code <unknown>} for no or a wrong time. */
        static String since(String then, Instant now) {
            if (then.isEmpty()) {
                return "<unknown>";
            }
            try {
                return human(Duration.between(Instant.parse(then), now).toSeconds());
            } catch (DateTimeException e) {
                return "<unknown>";
            }
        }

        static String human(long seconds) {
            if (seconds < -1) {
                return "<invalid>";
            }
            if (seconds < 2 * MINUTE) {
                return Math.max(0, seconds) + "s";
            }
            if (seconds < 10 * MINUTE) {
                return two(seconds, MINUTE, "m", 1, "s");
            }
            if (seconds < 3 * HOUR) {
                return seconds / MINUTE + "m";
            }
            if (seconds < 8 * HOUR) {
                return two(seconds, HOUR, "h", MINUTE, "m");
            }
            if (seconds < 2 * DAY) {
                return seconds / HOUR + "h";
            }
            if (seconds < 8 * DAY) {
                return two(seconds, DAY, "d", HOUR, "h");
            }
            if (seconds < 2 * YEAR) {
                return seconds / DAY + "d";
            }
            return seconds < 8 * YEAR ? two(seconds, YEAR, "y", DAY, "d") : seconds / YEAR + "y";
        }

        private static String two(long seconds, long large, String largeUnit, long small, String smallUnit) {
            long rest = seconds % large / small;
            return seconds / large + largeUnit + (rest == 0 ? "" : rest + smallUnit);
        }
    }
}
