package io.github.reconciler4j.test.server.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Random sequences of writes to a few objects, on a real API server and the one inside the JVM: every answer and what
 * watches see must be the same. The system property {@code random.runs} says how many sequences of each kind (default 15);
 * a failure prints its seed.
 */
@Tag("whole")
class RandomRunsIntegrationTests {
    private static final int MOST = 100_000;
    private static final int RUNS = Integer.getInteger("random.runs", 15);
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** Once there was a difference, all tries are for finding a shorter sequence with one. */
    private static final Set<String> DIFFERENT = ConcurrentHashMap.newKeySet();

    private static final Map<String, AtomicInteger> PLAYED =
            Map.of("maps", new AtomicInteger(), "widgets", new AtomicInteger());

    private static Servers servers;

    @BeforeContainer
    static void start() throws Exception {
        servers = Servers.start();
        for (Map<String, ApiUser> users : List.of(servers.realUsers, servers.insideUsers)) {
            List<Step> steps = List.of(
                    step("{POST: /apis/apiextensions.k8s.io/v1/customresourcedefinitions, body: "
                            + RandomSteps.DEFINITION + "}"),
                    step("{GET: /apis/random.example.com/v1/widgets, until: 200}"));
            new Player(users, new Transcript("random", "definition", "none", steps)).play();
        }
    }

    private static Step step(String yaml) throws Exception {
        return Step.of(new YAMLMapper().readTree(yaml));
    }

    @AfterContainer
    static void stop() {
        servers.close();
    }

    @Property(tries = MOST, shrinking = ShrinkingMode.BOUNDED, edgeCases = EdgeCasesMode.NONE)
    void configMapsWhenWrittenInAnyOrderLookTheSame(@ForAll("maps") List<Step> steps) throws Exception {
        compare("maps", steps);
    }

    @Provide
    Arbitrary<List<Step>> maps() {
        return RandomSteps.sequences(RandomSteps.MAPS);
    }

    @Property(tries = MOST, shrinking = ShrinkingMode.BOUNDED, edgeCases = EdgeCasesMode.NONE)
    void customObjectsWhenWrittenInAnyOrderLookTheSame(@ForAll("widgets") List<Step> steps) throws Exception {
        compare("widgets", steps);
    }

    @Provide
    Arbitrary<List<Step>> widgets() {
        return RandomSteps.sequences(RandomSteps.WIDGETS);
    }

    private static void compare(String topic, List<Step> steps) throws Exception {
        if (PLAYED.get(topic).incrementAndGet() > RUNS && !DIFFERENT.contains(topic)) {
            return;
        }
        Transcript transcript = new Transcript(topic, "random", "r-" + NAMES.incrementAndGet(), steps);
        List<JsonNode> real = new Player(servers.realUsers, transcript).play();
        List<JsonNode> inside = new Player(servers.insideUsers, transcript).play();
        assertThat(inside).hasSameSizeAs(real).hasSameSizeAs(steps);
        List<Difference> differences = new ArrayList<>();
        for (int i = 0; i < real.size(); i++) {
            String request = steps.get(i).options().toString();
            differences.addAll(Difference.between("step " + (i + 1) + " ", request, real.get(i), inside.get(i)));
        }
        if (!differences.isEmpty()) {
            DIFFERENT.add(topic);
        }
        assertThat(differences).as(() -> describe(steps)).isEmpty();
    }

    private static String describe(List<Step> steps) {
        StringBuilder text = new StringBuilder("steps:\n");
        steps.forEach(step -> text.append(step.options()).append('\n'));
        return text.toString();
    }
}
