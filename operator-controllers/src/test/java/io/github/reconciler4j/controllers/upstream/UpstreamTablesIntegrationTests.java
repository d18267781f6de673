package io.github.reconciler4j.controllers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Repeats every case of Kubernetes' own tests of its controllers with ours. Needs Go, which exports the cases. */
@Tag("whole")
class UpstreamTablesIntegrationTests {

    private static final Replays REPLAYS = AllReplays.all();

    private static List<UpstreamCase> cases;

    @BeforeAll
    static void loadCases() {
        cases = UpstreamTables.load();
    }

    @TestFactory
    Stream<DynamicContainer> caseWhenReplayedHasTheSameOutcome() {
        Map<String, Stream.Builder<DynamicTest>> byFunction = new TreeMap<>();
        for (UpstreamCase call : cases) {
            if (REPLAYS.reasonAgainst(call).isEmpty()) {
                byFunction
                        .computeIfAbsent(call.function(), function -> Stream.builder())
                        .add(DynamicTest.dynamicTest(call.test(), () -> replay(call)));
            }
        }
        return byFunction.entrySet().stream()
                .map(function -> DynamicContainer.dynamicContainer(
                        function.getKey(), function.getValue().build()));
    }

    private static void replay(UpstreamCase call) throws Exception {
        try {
            REPLAYS.of(call).run(call);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(e.getMessage() + "\nin the case " + call, e);
        }
    }

    @Test
    void tablesHaveAtLeastThreeHundredCasesAndFewThatCannotBeReplayed() {
        Map<String, Integer> excluded = new TreeMap<>();
        for (UpstreamCase call : cases) {
            String reason = REPLAYS.reasonAgainst(call);
            if (!reason.isEmpty()) {
                excluded.merge(call.function() + ": " + reason, 1, Integer::sum);
            }
        }
        int count = excluded.values().stream().mapToInt(Integer::intValue).sum();
        System.out.println((cases.size() - count) + " cases are replayed, " + count + " cannot be:");
        excluded.forEach((reason, number) -> System.out.println("  " + number + " of " + reason));
        assertThat(cases.size() - count).isGreaterThan(3000);
        assertThat(count).isLessThan(500);
    }
}
