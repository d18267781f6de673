package io.github.reconciler4j.controller;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which controllers are to run, in the manner of kube-controller-manager: {@code *} is all that are on by default,
 * {@code name} turns one on, {@code -name} turns one off. So {@code *,-endpoints,nodes} is all that are on by default
 * but {@code endpoints}, and {@code nodes} even if it is off by default. Immutable.
 *
 * @param others whether controllers that are not named run if they are on by default
 * @param on those that run in any case
 * @param off those that do not
 * @since 0.1.0
 */
public record ControllerSelection(boolean others, Set<String> on, Set<String> off) {

    private static final String ALL = "*";
    private static final ControllerSelection DEFAULTS = new ControllerSelection(true, Set.of(), Set.of());

    /**
     * Copies the sets.
     *
     * @throws IllegalArgumentException if a controller is both on and off
     */
    public ControllerSelection {
        on = Set.copyOf(on);
        off = Set.copyOf(off);
        TreeSet<String> both = new TreeSet<>(on);
        both.retainAll(off);
        if (!both.isEmpty()) {
            throw new IllegalArgumentException("controllers are both on and off: " + both);
        }
    }

    /** All that are on by default. */
    public static ControllerSelection defaults() {
        return DEFAULTS;
    }

    /**
     * Reads words such as {@code *}, {@code name} and {@code -name}, in any order. No words are no controllers.
     *
     * @throws IllegalArgumentException for an empty word, for a controller that is both on and off, and if all words
     *     turn something off although nothing is on
     */
    public static ControllerSelection of(List<String> words) {
        boolean others = false;
        Set<String> on = new TreeSet<>();
        Set<String> off = new TreeSet<>();
        for (String word : words) {
            String name = word.strip();
            if (name.equals(ALL)) {
                others = true;
            } else if (name.startsWith("-")) {
                off.add(checked(name.substring(1), word));
            } else {
                on.add(checked(name, word));
            }
        }
        if (!others && on.isEmpty() && !off.isEmpty()) {
            throw new IllegalArgumentException(
                    "only controllers to leave out are named, so that none would run; write '*,-"
                            + String.join(",-", off) + "' for all others");
        }
        return new ControllerSelection(others, on, off);
    }

    private static String checked(String name, String word) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'" + word + "' does not name a controller");
        }
        return name;
    }

    /** Whether a controller runs. */
    public boolean selects(String controller, boolean onByDefault) {
        return on.contains(controller) || (others && onByDefault && !off.contains(controller));
    }

    /**
     * Checks that there is a controller for each name.
     *
     * @throws IllegalArgumentException if there is not; the message names the unknown and the known ones
     */
    public void check(Collection<String> known) {
        TreeSet<String> unknown = new TreeSet<>(on);
        unknown.addAll(off);
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "there are no controllers named " + unknown + "; known are " + new TreeSet<>(known));
        }
    }
}
