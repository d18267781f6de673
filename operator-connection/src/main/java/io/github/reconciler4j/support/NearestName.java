package io.github.reconciler4j.support;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Finds the name that was meant by a misspelled one. Thread-safe.
 *
 * @since 0.1.0
 */
public final class NearestName {

    private static final int ALWAYS_SIMILAR = 2;
    private static final int PART_THAT_MAY_DIFFER = 5;

    private NearestName() {}

    /** Return the known name that differs least, if at most two letters or a fifth of them differ. */
    public static Optional<String> of(String name, Collection<String> known) {
        int most = Math.max(ALWAYS_SIMILAR, name.length() / PART_THAT_MAY_DIFFER);
        return known.stream()
                .filter(candidate -> distance(candidate, name) <= most)
                .min(Comparator.comparingInt(candidate -> distance(candidate, name)));
    }

    /** Return how many letters must be inserted, removed or replaced. */
    private static int distance(String first, String second) {
        int[] row = new int[second.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= first.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= second.length(); j++) {
                int above = row[j];
                int replaced = diagonal + (first.charAt(i - 1) == second.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(row[j - 1], above) + 1);
                diagonal = above;
            }
        }
        return row[second.length()];
    }
}
