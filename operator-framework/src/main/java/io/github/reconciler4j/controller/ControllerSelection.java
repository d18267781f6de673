package io.github.reconciler4j.controller;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which controllers of an operator run, in the notation of kube-controller-manager: {@code *} stands for all that run by
 * default, {@code name} enables one, {@code -name} disables one. For example, {@code *,-endpoints,nodes} stands for all that
 * run by default except {@code endpoints}, and for {@code nodes} even if it does not run by default. Immutable.
 *
 * <!-- snippet: SelectedControllers -->
 * <pre>{@code
 * ControllerSelection selection = ControllerSelection.of(List.of(argument.split(",")));
 * return ControllerBuilder.addSelected(manager, selection, List.of(greetings(), tenants()));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ControllerSelection {

    private static final String ALL = "*";
    private static final ControllerSelection DEFAULTS = new ControllerSelection(true, Set.of(), Set.of());

    private final boolean others;
    private final Set<String> enabled;
    private final Set<String> disabled;

    private ControllerSelection(boolean others, Set<String> enabled, Set<String> disabled) {
        this.others = others;
        this.enabled = Collections.unmodifiableSet(new TreeSet<>(enabled));
        this.disabled = Collections.unmodifiableSet(new TreeSet<>(disabled));
        TreeSet<String> both = new TreeSet<>(enabled);
        both.retainAll(disabled);
        if (!both.isEmpty()) {
            throw new IllegalArgumentException("Controllers are both enabled and disabled: " + both);
        }
    }

    /** Return the selection of all controllers that run by default. */
    public static ControllerSelection defaults() {
        return DEFAULTS;
    }

    /**
     * Parse words such as {@code *}, {@code name} and {@code -name}, in any order. No words select no controllers.
     *
     * @throws IllegalArgumentException for an empty word, for a controller that is both enabled and disabled, and if words
     *     disable controllers although none is enabled
     */
    public static ControllerSelection of(List<String> words) {
        boolean others = false;
        Set<String> enabled = new TreeSet<>();
        Set<String> disabled = new TreeSet<>();
        for (String word : words) {
            String name = word.strip();
            if (name.equals(ALL)) {
                others = true;
            } else if (name.startsWith("-")) {
                disabled.add(checked(name.substring(1), word));
            } else {
                enabled.add(checked(name, word));
            }
        }
        if (!others && enabled.isEmpty() && !disabled.isEmpty()) {
            throw new IllegalArgumentException(
                    "The words only disable controllers, so no controller would run; use '*,-"
                            + String.join(",-", disabled) + "' to run all others");
        }
        return new ControllerSelection(others, enabled, disabled);
    }

    private static String checked(String name, String word) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'" + word + "' does not name a controller");
        }
        return name;
    }

    /** Return whether controllers that are not named run if they run by default. */
    public boolean others() {
        return others;
    }

    /** Return the controllers that run in any case; unmodifiable. */
    public Set<String> enabled() {
        return enabled;
    }

    /** Return the controllers that do not run; unmodifiable. */
    public Set<String> disabled() {
        return disabled;
    }

    /** Return whether a controller runs. */
    public boolean selects(String controller, boolean byDefault) {
        return enabled.contains(controller) || (others && byDefault && !disabled.contains(controller));
    }

    /**
     * Check that a controller exists for each name.
     *
     * @throws IllegalArgumentException if it does not; the message has the unknown and the known names
     */
    public void check(Collection<String> known) {
        TreeSet<String> unknown = new TreeSet<>(enabled);
        unknown.addAll(disabled);
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "There are no controllers named " + unknown + "; known are " + new TreeSet<>(known));
        }
    }

    /** Return the words of this selection. */
    @Override
    public String toString() {
        TreeSet<String> words = new TreeSet<>(enabled);
        disabled.forEach(name -> words.add("-" + name));
        return (others ? ALL + (words.isEmpty() ? "" : ",") : "") + String.join(",", words);
    }
}
