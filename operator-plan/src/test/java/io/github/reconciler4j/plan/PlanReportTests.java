package io.github.reconciler4j.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.plan.PlanReport.Counts;
import io.github.reconciler4j.plan.PlanReport.Problem;
import io.github.reconciler4j.plan.PlannedChange.Effect;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports with hostile names and with many changes. */
class PlanReportTests {

    private static final KindName KIND = KindName.of("apps/v1", "Deployment");
    private static final Counts COUNTS = new Counts(1, 1, 0, 0, 1);
    private static final int MANY = 10_000;

    private static PlanReport report(List<PlannedChange> changes, Problem... problems) {
        return new PlanReport("shop", "2.0", changes, List.of(problems), COUNTS);
    }

    private static PlannedChange change(String name, Change... fields) {
        return new PlannedChange(
                Effect.CHANGED, KIND, ObjectKey.of("shop", name), "", "", List.of("shop/" + name), List.of(fields));
    }

    @Test
    void nameOfAFieldIsNoOtherLineAndNoCommandOfATerminal() throws Exception {
        String hostile = "spec.a\nNo changes. 0 requests.\n\u001b[2J\u009b31m\u202e\u2028";
        PlanReport report = report(
                List.of(change("one", new Change(hostile, "1", "\"\u009b31m\""))),
                new Problem("shop", "shop/one", "first\nNo changes."));
        String text = report.toText();

        assertThat(text.lines()).noneMatch(line -> line.startsWith("No changes"));
        assertThat(text).doesNotContain("\u001b", "\u009b", "\u202e", "\u2028");
        assertThat(text).contains("spec.a\\nNo changes. 0 requests.\\n\\u001b[2J");
        JsonNode json = new ObjectMapper().readTree(report.toJson());
        assertThat(json.at("/changes/0/fields/0/path").asText()).isEqualTo(hostile);
        assertThat(report.toJson()).doesNotContain("\n");
    }

    @Test
    @Timeout(20)
    void manyChangesAreGroupedInTime() throws Exception {
        List<PlannedChange> changes = IntStream.range(0, MANY)
                .mapToObj(number -> change(
                        "app-" + number,
                        new Change("spec.image", "\"1\"", "\"2\""),
                        new Change("spec.own", "", "\"" + number + "\""),
                        new Change("spec.part", "", "\"" + number % 7 + "\"")))
                .toList();
        PlanReport report = report(changes);

        JsonNode json = new ObjectMapper().readTree(report.toJson());
        assertThat(json.path("changes")).hasSize(MANY);
        assertThat(json.at("/summary/changed").asInt()).isEqualTo(MANY);
        assertThat(json.at("/groups/0/fields")).hasSize(1);
        assertThat(report.toText().lines()).hasSizeGreaterThan(2 * MANY);
    }
}
