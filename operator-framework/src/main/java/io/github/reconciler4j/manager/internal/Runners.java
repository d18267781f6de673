package io.github.reconciler4j.manager.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The runners of one manager, in the order in which they were added. Guarded by the lock of the lifecycle. */
final class Runners {

    private final List<ComponentRunner> all = new ArrayList<>();

    /** Adds a runner whose name is not taken. */
    void addLocked(ComponentRunner runner) {
        if (all.stream().anyMatch(other -> other.name().equals(runner.name()))) {
            throw new IllegalArgumentException(
                    "There is a component named '" + runner.name() + "' already: give one of them another name");
        }
        all.add(runner);
    }

    void removeLocked(Predicate<ComponentRunner> condition) {
        all.removeIf(condition);
    }

    List<ComponentRunner> copyLocked() {
        return List.copyOf(all);
    }

    boolean noneLocked(Predicate<ComponentRunner> condition) {
        return all.stream().noneMatch(condition);
    }

    void eachLocked(Predicate<ComponentRunner> condition, Consumer<ComponentRunner> action) {
        all.stream().filter(condition).forEach(action);
    }

    String namesLocked(Predicate<ComponentRunner> condition) {
        return all.stream().filter(condition).map(ComponentRunner::name).collect(Collectors.joining(", "));
    }
}
