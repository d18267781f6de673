package io.github.reconciler4j.test.server.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays all transcripts on a real API server and on the one inside the JVM. To play some of them only, set the system
 * property {@code transcripts} to the start of their names, such as {@code watch/}.
 */
@Tag("whole")
class DifferentialIntegrationTests {
    private static final int PLAYERS = 6;
    private static final String CHOICE = System.getProperty("transcripts", "");

    private static List<Transcript> transcripts;
    private static List<Difference> differences;
    private static KnownDifferences known;

    @BeforeAll
    static void play() throws Exception {
        transcripts = Transcript.all().stream()
                .filter(transcript -> transcript.id().startsWith(CHOICE))
                .toList();
        try (Servers servers = Servers.start()) {
            known = KnownDifferences.read().of(servers.minor);
            differences = new ArrayList<>();
            List<List<JsonNode>> real = playAll(servers.realUsers);
            List<List<JsonNode>> inside = playAll(servers.insideUsers);
            for (int i = 0; i < transcripts.size(); i++) {
                differences.addAll(compare(transcripts.get(i), real.get(i), inside.get(i)));
            }
            print(servers.minor);
        }
    }

    /** For docs/versions.md. */
    private static void print(int minor) {
        KnownDifferences ofNewest = KnownDifferences.read().of(Integer.MAX_VALUE);
        long alike = transcripts.stream()
                .filter(transcript -> differences.stream()
                        .filter(difference -> difference.where().startsWith(transcript.id() + " "))
                        .allMatch(ofNewest::covers))
                .count();
        System.out.println("Kubernetes 1." + minor + " answers " + alike + " of " + transcripts.size()
                + " transcripts as the newest version does");
    }

    @AfterAll
    static void forget() {
        differences = List.of();
    }

    private static List<List<JsonNode>> playAll(Map<String, ApiUser> users) throws Exception {
        ExecutorService players = Executors.newFixedThreadPool(PLAYERS);
        try {
            List<Future<List<JsonNode>>> running = new ArrayList<>();
            for (Transcript transcript : transcripts) {
                running.add(players.submit(() -> new Player(users, transcript).play()));
            }
            List<List<JsonNode>> seen = new ArrayList<>();
            for (Future<List<JsonNode>> one : running) {
                seen.add(one.get());
            }
            return seen;
        } finally {
            players.shutdownNow();
        }
    }

    private static List<Difference> compare(Transcript transcript, List<JsonNode> real, List<JsonNode> inside) {
        List<Difference> found = new ArrayList<>();
        List<String> requests = new ArrayList<>();
        for (Step step : transcript.steps()) {
            for (int i = 0; i < step.option("times").asInt(1); i++) {
                requests.add(step.toString());
            }
        }
        for (int i = 0; i < Math.max(real.size(), inside.size()); i++) {
            String request = i < requests.size() ? requests.get(i) : "";
            String where = transcript.id() + " " + (i + 1) + " ";
            found.addAll(Difference.between(where, request, at(real, i), at(inside, i)));
        }
        return found;
    }

    private static JsonNode at(List<JsonNode> seen, int i) {
        return i < seen.size() ? seen.get(i) : MissingNode.getInstance();
    }

    /** One test for each transcript. */
    @TestFactory
    Stream<DynamicTest> answersWhenBothServersAreAskedTheSameDifferOnlyWhereKnown() {
        return transcripts.stream()
                .map(transcript -> DynamicTest.dynamicTest(transcript.id(), () -> {
                    List<Difference> unknown = differences.stream()
                            .filter(difference -> difference.where().startsWith(transcript.id() + " "))
                            .filter(difference -> !known.covers(difference))
                            .toList();

                    assertThat(unknown).as(() -> lines(unknown)).isEmpty();
                }));
    }

    private static String lines(Collection<Difference> found) {
        return found.stream().map(Difference::toString).collect(Collectors.joining("\n"));
    }

    /** Former versions have fewer of what the server in this JVM lacks. */
    @Test
    @NewestKubernetes
    void knownDifferencesWhenPlayedStillOccur() {
        List<String> unused = known.entries().stream()
                .flatMap(entry -> entry.unused(differences).stream())
                .filter(place -> place.startsWith(CHOICE))
                .toList();

        assertThat(unused).as("known differences that do not occur any more").isEmpty();
    }
}
