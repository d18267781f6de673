package io.github.reconciler4j.grid;

import io.github.reconciler4j.support.Causes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A callback that the framework calls on the thread of the user, within a call of the user. The user gets each failure of it as
 * it is or as a cause, or none if the call has done its work without the callback. The next call works.
 */
record DirectRow(String name, Outcome outcome, Call call, Set<String> covers) {

    /** Where a failure goes. */
    enum Outcome {
        /** To the caller. */
        THROWN,
        /** To the log. */
        LOGGED
    }

    /** A call that calls the callback. */
    interface Call {
        void run(GridOperator operator, Thrower thrower) throws Throwable;
    }

    static DirectRow thrown(String name, Call call, String... covers) {
        return new DirectRow(name, Outcome.THROWN, call, Set.of(covers));
    }

    static DirectRow logged(String name, Call call, String... covers) {
        return new DirectRow(name, Outcome.LOGGED, call, Set.of(covers));
    }

    /** Return which rules were violated. */
    List<String> run(GridOperator operator) {
        List<String> violations = new ArrayList<>();
        for (Thrower.Kind kind : Thrower.kinds()) {
            String where = name + " with " + kind.name() + ": ";
            Thrower thrower = new Thrower();
            Throwable failure = kind.failure().get();
            thrower.arm(failure);
            Throwable caught = outcomeOf(operator, thrower);
            if (!thrower.hasThrown()) {
                violations.add(where + "the callback was not called, " + caught);
            } else if (outcome == Outcome.LOGGED && caught != null) {
                violations.add(where + "threw " + caught.getClass());
            } else if (outcome == Outcome.THROWN && !isFrom(kind, failure, caught)) {
                violations.add(where + "threw "
                        + (caught == null ? "nothing" : caught.getClass().toString()));
            }
            Throwable later = outcomeOf(operator, thrower);
            if (later != null) {
                violations.add(where + "the next call threw " + later);
            }
        }
        return violations;
    }

    /** The JDK itself replaces an exception that cannot be described when it wraps it. */
    private static boolean isFrom(Thrower.Kind kind, Throwable failure, @Nullable Throwable caught) {
        if (kind.isIndescribable() && caught != null) {
            return true;
        }
        for (Throwable next : Causes.of(caught)) {
            if (next == failure || List.of(next.getSuppressed()).contains(failure)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Throwable outcomeOf(GridOperator operator, Thrower thrower) {
        try {
            call.run(operator, thrower);
            return null;
        } catch (Throwable e) {
            return e;
        } finally {
            Thread.interrupted(); // a callback that was interrupted leaves the flag to the caller
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
