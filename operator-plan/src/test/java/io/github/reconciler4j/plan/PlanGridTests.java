package io.github.reconciler4j.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.plan.PlannedChange.Effect;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.KubernetesJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each verb with each state of an object: one plan of all cells changes nothing, and says of each cell what then happens when the same
 * code writes for real.
 */
class PlanGridTests extends PlanFixture {

    private static final List<String> KINDS = List.of(
            "v1 ConfigMap",
            "v1 Secret",
            "v1 Event",
            "events.k8s.io/v1 Event",
            "apps/v1 Deployment",
            "coordination.k8s.io/v1 Lease",
            "v1 Namespace");

    private final ConcurrentLinkedQueue<ClientCall> writes = new ConcurrentLinkedQueue<>();
    private Map<String, String> versionsBefore;
    private Map<String, String> versionsAfter;
    private PlanReport report;

    /** A verb and the state that it finds. */
    record Cell(GridVerb verb, GridState state) {

        String id() {
            return (verb + "-" + state).toLowerCase(Locale.ROOT).replace('_', '-');
        }

        GridTarget target(String namespace, Client client, EventRecorder recorder) {
            return new GridTarget(client, recorder, ObjectKey.of(namespace, id()), state.isSecret());
        }

        @Override
        public String toString() {
            return verb + " " + state;
        }
    }

    static Stream<Cell> cells() {
        return Stream.of(GridVerb.values())
                .flatMap(
                        verb -> Stream.of(GridState.values()).filter(verb::fits).map(state -> new Cell(verb, state)));
    }

    @BeforeAll
    void planAllCells() throws InterruptedException {
        super.createNamespace();
        Map<String, Cell> cells = cells().collect(Collectors.toMap(Cell::id, Function.identity()));
        cells.values().forEach(cell -> {
            cell.state().prepare(cell.target(namespace, client, null), client);
            owner(cell.id());
        });
        versionsBefore = versions();
        report = plan(cells);
        versionsAfter = versions();
    }

    /** All tests use one namespace. */
    @BeforeEach
    @Override
    void createNamespace() {}

    private PlanReport plan(Map<String, Cell> cells) throws InterruptedException {
        Plan plan = Plan.create();
        ManagerOptions options = plan.prepare(ManagerOptions.defaults().withName("planned"));
        List<ClientInterceptor> interceptors = new ArrayList<>(options.client().interceptors());
        interceptors.add((call, next) -> {
            if (!call.request().method().equals("GET")) {
                writes.add(call);
            }
            return next.proceed(call);
        });
        options = options.withClient(options.client().withInterceptors(interceptors));
        try (Manager manager = Manager.create(server.clientConfig(), options)) {
            ControllerBuilder.of(ConfigMap.class)
                    .named("owners")
                    .inNamespaces(namespace)
                    .withLabelSelector("owner=" + namespace)
                    .owns(Deployment.class)
                    .owns(Secret.class)
                    .reconciler((owner, context) -> {
                        Cell cell = cells.get(owner.getMetadata().getName());
                        cell.verb().run(cell.target(namespace, manager.client(), manager.recorder()));
                        return Result.done();
                    })
                    .addTo(manager);
            return plan.run(manager, LIMIT);
        }
    }

    /** Return the version of each object of the server. */
    private Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        for (String name : KINDS) {
            Kind<GenericKubernetesResource> kind = Kind.of(name.split(" ")[0], name.split(" ")[1]);
            for (GenericKubernetesResource object : client.live().list(kind, Selection.all())) {
                versions.put(
                        name + " " + ObjectKey.of(object), object.getMetadata().getResourceVersion());
            }
        }
        return versions;
    }

    @Test
    void planChangesNothingAndRecordsNothing() {
        assertThat(versionsAfter).isEqualTo(versionsBefore);
        assertThat(versionsAfter.keySet()).noneMatch(name -> name.contains("Event") || name.contains("Lease"));
    }

    @Test
    void eachWriteIsADryRunAndEachObjectHasOneForEachWriteOfTheController() {
        assertThat(writes).isNotEmpty().allSatisfy(call -> {
            assertThat(call.dryRun()).isTrue();
            if (call.verb() == ClientCall.Verb.DELETE || call.verb() == ClientCall.Verb.DELETE_ALL) {
                assertThat(new String(call.request().body(), StandardCharsets.UTF_8))
                        .contains("\"dryRun\":[\"All\"]");
            } else {
                assertThat(call.request().query().get("dryRun")).containsExactly("All");
            }
        });
        Map<String, Long> perObject = writes.stream()
                .collect(Collectors.groupingBy(
                        call -> call.key().map(ObjectKey::name).orElse("?"), TreeMap::new, Collectors.counting()));
        perObject.forEach((name, count) -> assertThat(count)
                .as(name)
                .isLessThanOrEqualTo(
                        name.contains("twice") || name.contains("then") || name.contains("-and-back") ? 2 : 1));
    }

    @Test
    void noValueOfASecretIsShown() {
        assertThat(report.toText() + report.toJson())
                .doesNotContain(GridTarget.CONFIDENTIAL, "aHVudGVy", "aHVudGVyMQ", "aHVudGVyMg");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void planSaysWhatThenHappens(Cell cell) throws Exception {
        GridTarget target = cell.target(namespace, client, entry -> {});
        Optional<JsonNode> before = state(target);
        String failure = "";
        try {
            cell.verb().run(target);
        } catch (RuntimeException e) {
            failure = Causes.message(e);
        }
        Optional<JsonNode> after = state(target);

        assertThat(reason(problem(cell))).isEqualTo(reason(failure));
        List<PlannedChange> planned = report.changes().stream()
                .filter(change -> change.key().name().equals(cell.id()))
                .toList();
        Optional<Effect> effect = ObjectStates.effect(before, after);
        assertThat(planned.stream().map(PlannedChange::effect).findFirst())
                .as("%s: %s", planned, failure)
                .isEqualTo(effect);
        assertThat(planned)
                .hasSizeLessThanOrEqualTo(1)
                .allSatisfy(
                        change -> assertThat(change.causes()).containsExactly("owners " + namespace + "/" + cell.id()));
        if (effect.isPresent() && (effect.get() == Effect.CHANGED || effect.get() == Effect.REPLACED)) {
            assertFields(planned.get(0).fields(), ObjectStates.changedLeaves(before.get(), after.get()));
        }
    }

    private void assertFields(List<Change> planned, Map<String, Change> real) {
        assertThat(planned)
                .allSatisfy(field -> assertThat(real.keySet())
                        .as("really changed")
                        .anyMatch(leaf -> ObjectStates.covers(field.path(), leaf)));
        assertThat(real.values()).allSatisfy(leaf -> {
            assertThat(planned).anyMatch(field -> ObjectStates.covers(field.path(), leaf.path()));
            planned.stream()
                    .filter(field ->
                            field.path().equals(leaf.path()) && !field.before().equals("***"))
                    .filter(field -> !field.after().equals("***"))
                    .forEach(field -> assertValues(field, leaf));
        });
    }

    /** A report has the part of a long value that differs. */
    private static void assertValues(Change planned, Change real) {
        assertThat(planned.before()).isNotEqualTo(planned.after());
        assertThat(real.before()).contains(planned.before().replace("...", ""));
        assertThat(real.after()).contains(planned.after().replace("...", ""));
    }

    /** Return a message without its request: the plan reads what it does not write. */
    private static String reason(String message) {
        return message.substring(message.indexOf(": ") + 1).replaceFirst("Operation cannot be fulfilled on .*?: ", "");
    }

    private String problem(Cell cell) {
        return report.problems().stream()
                .filter(problem -> problem.object().equals(namespace + "/" + cell.id()))
                .map(PlanReport.Problem::message)
                .findFirst()
                .orElse("");
    }

    private Optional<JsonNode> state(GridTarget target) throws JsonProcessingException {
        return client.live()
                .get(target.kind(), target.key())
                .map(object -> KubernetesJson.mapper().valueToTree(object));
    }
}
