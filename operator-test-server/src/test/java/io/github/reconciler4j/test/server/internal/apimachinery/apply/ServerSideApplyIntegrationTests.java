package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import io.github.reconciler4j.test.server.internal.apimachinery.Things;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInTypes;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Sequences of writes to a custom resource, on a real API server and with our functions. */
@Tag("whole")
class ServerSideApplyIntegrationTests {

    /** One write. */
    record Step(String kind, String manager, boolean force, JsonNode content) {}

    private static final AtomicInteger ACCEPTED = new AtomicInteger();
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static RealKubernetes kubernetes;
    private static RealApi api;

    @BeforeContainer
    static void start() {
        kubernetes = RealKubernetes.start(RealKubernetesOptions.defaults().withOnly());
        api = new RealApi(kubernetes);
        Things.install(api);
    }

    @AfterContainer
    static void stop() {
        api.close();
        kubernetes.close();
        assertThat(ACCEPTED).as("most writes have to be acceptable").hasValueGreaterThan(500);
    }

    @Property(tries = 150, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void writesWhenDoneInAnyOrderLeaveTheSameAsOnTheServer(@ForAll("steps") List<Step> steps) {
        String name = "thing-" + NAMES.incrementAndGet();
        ApplyDifferences differences = new ApplyDifferences(
                api,
                Things.PATH + "/" + name,
                "trees.example.com/v1",
                Things.TYPE,
                Things.RESET_FIELDS,
                Things.STATUS_RESET_FIELDS,
                ServerSideApplyIntegrationTests::addDefaults);
        for (Step step : steps) {
            run(differences, name, step);
            assertThat(differences.found()).as("steps so far of %s", steps).isEmpty();
        }
        ACCEPTED.addAndGet(differences.accepted());
    }

    private static JsonNode addDefaults(JsonNode thing) {
        JsonNode copy = thing.deepCopy();
        for (JsonNode item : copy.at("/spec/items")) {
            if (!item.has("protocol")) {
                ((ObjectNode) item).put("protocol", "TCP");
            }
        }
        return copy;
    }

    @Property(tries = 60, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void writesOfDeploymentsWhenDoneInAnyOrderLeaveTheSameAsOnTheServer(@ForAll("deploymentSteps") List<Step> steps) {
        String name = "deployment-" + NAMES.incrementAndGet();
        String path = "/apis/apps/v1/namespaces/default/deployments/" + name;
        ApplyDifferences differences = new ApplyDifferences(
                api,
                path,
                "apps/v1",
                BuiltInTypes.get().typeSchema("apps/v1", "Deployment").orElseThrow(),
                Things.RESET_FIELDS,
                List.of(List.of("spec"), List.of("metadata", "labels")),
                ours -> stored(path, ours));
        for (Step step : steps) {
            if (step.kind.equals("apply")) {
                differences.apply(step.manager, step.force, "", deployment(name, step.content));
            } else if (differences.live() == null) {
                differences.create(step.manager, deployment(name, step.content));
            } else {
                differences.mergePatch(step.manager, "", TestJson.of("{spec: " + step.content + "}"));
            }
            assertThat(differences.found()).as("steps so far of %s", steps).isEmpty();
        }
        ACCEPTED.addAndGet(differences.accepted());
    }

    private static JsonNode deployment(String name, JsonNode spec) {
        return TestJson.of(
                "{apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: '" + name + "'}, spec: " + spec + "}");
    }

    /** Returns what the server would store if it were sent our object, which adds the defaults. */
    private static JsonNode stored(String path, JsonNode ours) {
        ObjectNode copy = ours.deepCopy();
        ((ObjectNode) copy.get("metadata")).remove(List.of("resourceVersion", "managedFields"));
        RealApi.Answer answer = api.replace(path + "?dryRun=All", copy);
        return answer.status() == 200 ? answer.body() : ours;
    }

    private static void run(ApplyDifferences differences, String name, Step step) {
        switch (step.kind) {
            case "apply" -> differences.apply(step.manager, step.force, "", thing(name, "spec", step.content));
            case "status" -> {
                if (differences.live() != null) {
                    differences.apply(step.manager, step.force, "status", thing(name, "status", step.content));
                }
            }
            default -> {
                if (differences.live() == null) {
                    differences.create(step.manager, thing(name, "spec", step.content));
                } else {
                    differences.mergePatch(step.manager, "", TestJson.of("{spec: " + step.content + "}"));
                }
            }
        }
    }

    private static JsonNode thing(String name, String part, JsonNode content) {
        return TestJson.of("{apiVersion: 'trees.example.com/v1', kind: 'Thing', metadata: {name: '" + name + "'}, "
                + part + ": " + content + "}");
    }

    @Provide
    Arbitrary<List<Step>> deploymentSteps() {
        Arbitrary<String> managers = Arbitraries.of("one", "two", "three");
        Arbitrary<Boolean> force = Arbitraries.of(true, true, false);
        Arbitrary<Step> applies = Combinators.combine(managers, force, ThingSpecs.deployments())
                .as((manager, forced, spec) -> new Step("apply", manager, forced, spec));
        Arbitrary<Step> updates = Combinators.combine(managers, ThingSpecs.deployments())
                .as((manager, spec) -> new Step("update", manager, false, spec));
        return Arbitraries.frequencyOf(Tuple.of(4, applies), Tuple.of(1, updates))
                .list()
                .ofMinSize(2)
                .ofMaxSize(6);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<String> managers = Arbitraries.of("one", "two", "three");
        Arbitrary<Boolean> force = Arbitraries.of(true, true, false);
        Arbitrary<Step> applies = Combinators.combine(managers, force, ThingSpecs.applied())
                .as((manager, forced, spec) -> new Step("apply", manager, forced, spec));
        Arbitrary<Step> updates = Combinators.combine(managers, ThingSpecs.patches())
                .as((manager, spec) -> new Step("update", manager, false, spec));
        Arbitrary<Step> statuses = Combinators.combine(managers, force, ThingSpecs.statuses())
                .as((manager, forced, status) -> new Step("status", manager, forced, status));
        return Arbitraries.frequencyOf(Tuple.of(6, applies), Tuple.of(2, updates), Tuple.of(1, statuses))
                .list()
                .ofMinSize(2)
                .ofMaxSize(7);
    }
}
