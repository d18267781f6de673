package io.github.reconciler4j.plan;

import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.plan.PlannedChange.Effect;
import io.github.reconciler4j.support.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a report for people. For one thread. */
final class PlanText {

    private final PlanReport report;
    private final StringBuilder text = new StringBuilder();

    PlanText(PlanReport report) {
        this.report = report;
    }

    String text() {
        line("Plan of " + report.operator()
                + (report.version().equals("unknown") ? "" : " " + report.version()) + ": "
                + count(report.counts().reconciliations(), "reconciliation") + " of "
                + count(report.counts().controllers(), "controller"));
        for (ChangeGroup group : ChangeGroup.of(report.changes())) {
            line("");
            write(group);
        }
        if (!report.problems().isEmpty()) {
            line("");
            line("Cannot be planned:");
            report.problems()
                    .forEach(problem -> line("  " + problem.controller()
                            + (problem.object().isEmpty() ? "" : " " + problem.object()) + ": " + problem.message()));
        }
        line("");
        line(summary());
        return text.toString();
    }

    private void write(ChangeGroup group) {
        int size = group.changes().size();
        String kind = group.kind().kind() + (group.subresource().isEmpty() ? "" : "/" + group.subresource());
        line(count(size, kind) + " would be " + word(group.effect()) + ":");
        group.fields().forEach(field -> write("  ", field));
        for (PlannedChange change : group.changes()) {
            line("  - " + change.key()
                    + (change.after().isEmpty() ? "" : ", after " + change.after())
                    + (change.causes().isEmpty() ? "" : " (" + String.join(", ", change.causes()) + ")"));
            group.own(change).forEach(field -> write("      ", field));
        }
    }

    private void write(String indent, Change field) {
        line(indent + field.path() + ": " + shown(field.before()) + " -> " + shown(field.after()));
    }

    static String word(Effect effect) {
        return effect.name().toLowerCase(Locale.ROOT);
    }

    private static String shown(String value) {
        return value.isEmpty() ? "(none)" : value;
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private String summary() {
        List<String> parts = new ArrayList<>();
        for (Effect effect : Effect.values()) {
            long number = report.changes().stream()
                    .filter(change -> change.effect() == effect)
                    .count();
            if (number > 0) {
                parts.add(number + " " + word(effect));
            }
        }
        String changes = parts.isEmpty() ? "No changes" : String.join(", ", parts);
        int statuses = report.counts().statusWrites();
        int paused = report.counts().paused();
        return changes + ". "
                + (report.problems().isEmpty() ? "" : "The plan is not complete. ")
                + (statuses == 0 ? "" : count(statuses, "status write") + " left out. ")
                + (paused == 0 ? "" : count(paused, "paused object") + " left out. ")
                + count(report.counts().requests(), "request") + ".";
    }

    /** Names of fields and messages can contain anything, and must not look like other lines. */
    private void line(String line) {
        text.append(Texts.escaped(line)).append('\n');
    }
}
