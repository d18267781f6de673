package io.github.reconciler4j.grid;

import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * A callback that the framework calls on a thread of its own. The operator starts, the callback fails once in each way, and each
 * time a later change must arrive and health must show what cannot be trusted.
 */
final class CallbackRow {

    /** Rows whose callbacks the watch over callbacks does not see, and why. */
    private static final Map<String, String> UNWATCHED = Map.of(
            "undelivered changes of a source", "a thread that asks for health calls it",
            "health check", "a thread that asks for health calls it",
            "name of a health check", "a thread that asks for health calls it",
            "counter", "called several times for each event; a metrics library does not wait",
            "histogram", "called several times for each event; a metrics library does not wait");

    final String name;
    final Set<String> covers;
    private BiFunction<ManagerOptions, Thrower, ManagerOptions> options = (defaults, thrower) -> defaults;
    private Step setup = (operator, thrower) -> {};
    private Step trigger = (operator, thrower) -> operator.change("a");
    private Step check = (operator, thrower) -> operator.changeAndAwait("a");

    /** A step of a row. */
    interface Step {
        void run(GridOperator operator, Thrower thrower) throws Exception;
    }

    /** A row that covers these callbacks, as {@link CallbackTypes} lists them. */
    CallbackRow(String name, String... covers) {
        this.name = name;
        this.covers = Set.of(covers);
    }

    CallbackRow options(BiFunction<ManagerOptions, Thrower, ManagerOptions> change) {
        options = change;
        return this;
    }

    /** What to add before the start. */
    CallbackRow setup(Step step) {
        setup = step;
        return this;
    }

    /** What leads to a call; a change by default. */
    CallbackRow trigger(Step step) {
        trigger = step;
        return this;
    }

    /** What must work afterwards; by default a change arrives. */
    CallbackRow check(Step step) {
        check = step;
        return this;
    }

    /** Return which rules were violated. */
    List<String> run(KubernetesServer server, String namespace) {
        List<String> violations = new ArrayList<>();
        Thrower thrower = new Thrower();
        UnaryOperator<ManagerOptions> change = defaults -> options.apply(defaults, thrower);
        try (GridOperator operator = new GridOperator(server, namespace, change)) {
            setup.run(operator, thrower);
            operator.manager.start();
            check.run(operator, thrower);
            for (Thrower.Kind kind : Thrower.kinds()) {
                run(operator, thrower, kind, violations);
            }
            if (thrower.isWatched() == UNWATCHED.containsKey(name)) {
                violations.add(name + ": the watch over callbacks must see it, unless it is in UNWATCHED");
            }
        } catch (Throwable e) {
            violations.add(name + ": " + e);
        }
        return violations;
    }

    private void run(GridOperator operator, Thrower thrower, Thrower.Kind kind, List<String> violations) {
        String where = name + " with " + kind.name() + ": ";
        try {
            thrower.arm(kind.failure().get());
            trigger.run(operator, thrower);
            GridOperator.await("the callback is called", thrower::hasThrown);
            check.run(operator, thrower);
            if (!kind.isFatal() && !operator.health().isAlive()) {
                violations.add(where + "not alive: " + operator.health());
            }
            if (!operator.manager.status().running()) {
                violations.add(where + "the manager does not run");
            }
        } catch (Throwable e) {
            violations.add(where + e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
