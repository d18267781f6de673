package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServersFixture;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What rules may cost, as our server and a real one estimate it: {@code -Drule.cases=20000} for a long night, from another
 * case on with {@code -Drule.seed=20000}.
 */
@NewestKubernetes
class RuleCostsIntegrationTests extends BothServersFixture {
    private static final String PATH =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldManager=m";
    private static final int CASES = Integer.getInteger("rule.cases", 300);
    private static final int FIRST = Integer.getInteger("rule.seed", 0);

    @Test
    void definitionsWhenDrawnAreRefusedForTheSameCosts() {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        int refused = 0;
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            JsonNode definition = DrawnRules.definition(seed);
            Answer real = servers.real().create(PATH, definition);
            List<String> expected = causes(real);
            if (!expected.stream().allMatch(RuleCostsTests::isCost)) {
                continue; // refused for another reason, which other tests compare
            }
            compared++;
            refused += real.status() == 422 ? 1 : 0;
            Answer ours = servers.ours().create(PATH, definition);
            if (real.status() != ours.status() || !expected.equals(causes(ours))) {
                differences.add("seed " + seed + "\n  real: " + real.status() + " " + expected + "\n  ours: "
                        + ours.status() + " " + causes(ours) + "\n  " + DrawnRules.spec(definition));
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(CASES * 2 / 3);
        assertThat(refused).isGreaterThan(CASES / 5);
    }

    private static List<String> causes(Answer answer) {
        List<String> causes = new ArrayList<>();
        answer.body()
                .at("/details/causes")
                .forEach(cause -> causes.add(cause.path("field").asText() + ": "
                        + cause.path("message").asText()));
        return causes.stream().sorted().distinct().toList();
    }
}
