package io.github.reconciler4j.plan;

import java.util.List;

/**
 * What an operator would do, in the order of kinds and names. Immutable.
 *
 * <!-- snippet: SafetyUse -->
 * <pre>{@code
 * PlanReport report = plan.run(manager, Duration.ofMinutes(10));
 * return report.toText();
 * }</pre>
 *
 * @param operator the name of the operator
 * @param version the version of the operator
 * @param changes the objects that would change
 * @param problems what could not be planned
 * @param counts what the plan has looked at
 * @since 0.1.0
 */
public record PlanReport(
        String operator, String version, List<PlannedChange> changes, List<Problem> problems, Counts counts) {

    /** The exit code of a plan without changes. */
    public static final int UNCHANGED = 0;

    /** The exit code of a plan that is not complete. */
    public static final int FAILED = 1;

    /** The exit code of a plan with changes. */
    public static final int CHANGED = 2;

    /** Copy the lists. */
    public PlanReport {
        changes = List.copyOf(changes);
        problems = List.copyOf(problems);
    }

    /**
     * A request or a controller that could not be planned. Immutable.
     *
     * @param controller the name of the controller
     * @param object the object, {@code ""} for the controller as a whole
     * @param message the reason
     * @since 0.1.0
     */
    public record Problem(String controller, String object, String message) {}

    /**
     * What a plan has looked at. Immutable.
     *
     * @param controllers the number of controllers
     * @param reconciliations the number of reconciliations
     * @param paused the number of objects that were left out because an annotation pauses them
     * @param statusWrites the number of status writes, which are left out
     * @param requests the number of requests for single objects that were sent to the API server
     * @since 0.1.0
     */
    public record Counts(int controllers, int reconciliations, int paused, int statusWrites, int requests) {}

    /** Return {@link #FAILED} if there is a problem, {@link #CHANGED} if something would change, or else {@link #UNCHANGED}. */
    public int exitCode() {
        if (!problems.isEmpty()) {
            return FAILED;
        }
        return changes.isEmpty() ? UNCHANGED : CHANGED;
    }

    /** Return the report for people. */
    public String toText() {
        return new PlanText(this).text();
    }

    /** Return the report as JSON in one line, in the format that {@code docs/plan.md} describes. */
    public String toJson() {
        return PlanJson.write(this);
    }
}
