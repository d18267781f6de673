package io.github.reconciler4j.controllers.internal.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A set of completion indexes, kept as ranges. Its text is what the status of a Job has: {@code 1,3-5,7,8}. Immutable.
 *
 * @param ranges in ascending order
 */
record Indexes(List<Range> ranges) {

    static final Indexes NONE = new Indexes(List.of());

    /**
     * Indexes from the first to the last one, both included.
     *
     * @param first the smallest index
     * @param last the largest index
     */
    record Range(int first, int last) {

        int size() {
            return last - first + 1;
        }

        @Override
        public String toString() {
            return switch (size()) {
                case 1 -> Integer.toString(first);
                case 2 -> first + "," + last;
                default -> first + "-" + last;
            };
        }
    }

    Indexes {
        ranges = List.copyOf(ranges);
    }

    static Indexes of(Collection<Integer> indexes) {
        return new Indexes(
                merged(new TreeSet<>(indexes).stream().map(i -> new Range(i, i)).toList()));
    }

    /** Read the text of a status or rule. Indexes from {@code completions} on are dropped, as are parts that are no numbers. */
    static Indexes parse(@Nullable String text, int completions) {
        if (text == null || text.isEmpty()) {
            return NONE;
        }
        List<Range> parsed = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String[] limits = part.split("-", -1);
            Integer first = number(limits[0]);
            Integer last = limits.length > 1 ? number(limits[1]) : first;
            if (first != null && first >= completions) {
                break;
            }
            if (first != null && last != null) {
                append(parsed, new Range(first, limits.length > 1 ? Math.min(last, completions - 1) : last));
            }
        }
        return new Indexes(parsed);
    }

    /** Join a range with the one before if there is no gap between them. */
    private static void append(List<Range> ranges, Range range) {
        Range before = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
        if (before != null && before.last() == range.first() - 1) {
            ranges.set(ranges.size() - 1, new Range(before.first(), range.last()));
        } else {
            ranges.add(range);
        }
    }

    private static @Nullable Integer number(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    Indexes with(Collection<Integer> more) {
        return with(of(more));
    }

    Indexes with(Indexes more) {
        List<Range> all = new ArrayList<>(ranges);
        all.addAll(more.ranges);
        all.sort((a, b) -> Integer.compare(a.first(), b.first()));
        return new Indexes(merged(all));
    }

    private static List<Range> merged(List<Range> sorted) {
        List<Range> merged = new ArrayList<>();
        for (Range range : sorted) {
            Range before = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (before == null || range.first() > before.last() + 1) {
                merged.add(range);
            } else if (range.last() > before.last()) {
                merged.set(merged.size() - 1, new Range(before.first(), range.last()));
            }
        }
        return merged;
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    int size() {
        return ranges.stream().mapToInt(Range::size).sum();
    }

    boolean contains(int index) {
        return ranges.stream().anyMatch(range -> range.first() <= index && index <= range.last());
    }

    /** Return how many indexes both sets have. */
    int overlap(Indexes other) {
        int overlap = 0;
        for (Range mine : ranges) {
            for (Range theirs : other.ranges) {
                overlap +=
                        Math.max(0, Math.min(mine.last(), theirs.last()) - Math.max(mine.first(), theirs.first()) + 1);
            }
        }
        return overlap;
    }

    /** Return the smallest indexes below a limit that the set does not have, at most {@code count}. */
    List<Integer> firstMissing(int count, int limit) {
        List<Integer> missing = new ArrayList<>();
        int candidate = 0;
        for (Range range : ranges) {
            for (; candidate < Math.min(range.first(), limit) && missing.size() < count; candidate++) {
                missing.add(candidate);
            }
            candidate = Math.max(candidate, range.last() + 1);
        }
        for (; candidate < limit && missing.size() < count; candidate++) {
            missing.add(candidate);
        }
        return missing;
    }

    @Override
    public String toString() {
        return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
    }
}
