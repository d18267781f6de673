package io.github.reconciler4j.test.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.internal.Platform;
import io.github.reconciler4j.test.faults.ActiveFault;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each verb with each answer, over a socket and without one: the result, the error with its message, the requests that the server
 * logs and the object afterwards are the same.
 */
class SameSemanticsTests {

    private static final String NAMESPACE = "grid";

    private static Side socket;
    private static Side direct;
    private static Platform.Replacement platform;

    @BeforeAll
    static void start() {
        platform = Platform.replace(new PlatformWithoutBackoff());
        socket = Side.overSocket();
        direct = Side.withoutSocket();
        for (Side side : List.of(socket, direct)) {
            side.client()
                    .create(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(NAMESPACE)
                            .endMetadata()
                            .build());
        }
    }

    @AfterAll
    static void stop() {
        socket.close();
        direct.close();
        platform.close();
    }

    /** Lets the client repeat what fails at once. */
    private static final class PlatformWithoutBackoff extends Platform {

        @Override
        public void sleep(long nanos) {}
    }

    private static ObjectPatch annotation(String name) {
        return ObjectPatch.merge(Map.of("metadata", Map.of("annotations", Map.of(name, "true"))));
    }

    /** What is called, with an object that exists, existed, or does not exist. */
    enum Verb {
        GET((client, object) -> client.get(object.getClass(), ObjectKey.of(object))),
        EXISTS((client, object) -> client.exists(kind(object), ObjectKey.of(object))),
        LIST((client, object) -> client.list(kind(object), of(object))),
        STREAM((client, object) -> {
            try (Stream<?> stream = client.live().stream(kind(object), of(object))) {
                return stream.toList();
            }
        }),
        CREATE((client, object) -> client.create(fresh(object))),
        UPDATE((client, object) -> {
            HasMetadata changed = copy(object);
            changed.getMetadata().setLabels(Map.of("cell", object.getMetadata().getName(), "changed", "true"));
            return client.update(changed);
        }),
        PATCH((client, object) -> client.patch(object, annotation("patched"))),
        EDIT((client, object) ->
                client.edit(object, changed -> changed.getMetadata().setAnnotations(Map.of("edited", "true")))),
        APPLY((client, object) -> client.apply(fresh(object), ApplyOptions.defaults())),
        STATUS((client, object) -> client.status().edit(object, changed -> {
            if (changed instanceof Deployment deployment) {
                deployment.setStatus(
                        new DeploymentStatusBuilder().withObservedGeneration(1L).build());
            }
        })),
        SCALE((client, object) -> client.scale().set(object, 3)),
        DELETE((client, object) -> client.delete(object)),
        DELETE_ALL((client, object) -> {
            client.deleteAll(kind(object), of(object), DeletionOptions.defaults());
            return null;
        });

        private final BiFunction<Client, HasMetadata, @Nullable Object> call;

        Verb(BiFunction<Client, HasMetadata, @Nullable Object> call) {
            this.call = call;
        }

        private static Kind<?> kind(HasMetadata object) {
            return Kind.of(object.getClass());
        }

        private static Selection of(HasMetadata object) {
            return Selection.inNamespace(NAMESPACE)
                    .withLabelSelector("cell=" + object.getMetadata().getName());
        }

        private static HasMetadata fresh(HasMetadata object) {
            HasMetadata fresh = copy(object);
            fresh.getMetadata().setResourceVersion(null);
            fresh.getMetadata().setUid(null);
            fresh.getMetadata().setManagedFields(List.of());
            return fresh;
        }

        private static HasMetadata copy(HasMetadata object) {
            return object instanceof ConfigMap map
                    ? new ConfigMapBuilder(map).build()
                    : new DeploymentBuilder((Deployment) object).build();
        }
    }

    /** What the server answers. */
    enum Answer {
        SUCCESS(null),
        MISSING(null),
        GONE_MEANWHILE(null),
        CHANGED_MEANWHILE(null),
        TOO_MANY(Fault.tooManyRequests(Duration.ZERO)),
        TOO_MANY_ONCE(Fault.tooManyRequests(Duration.ZERO)),
        INTERNAL_ERROR(Fault.internalError()),
        UNAVAILABLE(Fault.unavailable()),
        UNAVAILABLE_ONCE(Fault.unavailable()),
        TIMEOUT(Fault.timeout()),
        UNAUTHORIZED(Fault.unauthorized()),
        FORBIDDEN(Fault.forbidden()),
        CONFLICT(Fault.conflict()),
        GONE(Fault.gone()),
        TEAPOT(new Fault.Respond(418, "", "short and stout", Map.of("Warning", "299 - \"hot\""))),
        SLOW(Fault.delay(Duration.ofMillis(20))),
        SILENT(Fault.stall()),
        CUT_BEFORE(Fault.cut(Fault.CutPoint.BEFORE)),
        CUT_BEFORE_ONCE(Fault.cut(Fault.CutPoint.BEFORE)),
        CUT_AFTER(Fault.cut(Fault.CutPoint.AFTER)),
        CUT_AFTER_ONCE(Fault.cut(Fault.CutPoint.AFTER)),
        CUT_INSIDE(Fault.cut(Fault.CutPoint.INSIDE)),
        CUT_INSIDE_ONCE(Fault.cut(Fault.CutPoint.INSIDE));

        private final @Nullable Fault fault;

        Answer(@Nullable Fault fault) {
            this.fault = fault;
        }
    }

    static Stream<Arguments> cells() {
        return Arrays.stream(Verb.values())
                .flatMap(verb -> Arrays.stream(Answer.values()).map(answer -> Arguments.of(verb, answer)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void callWhenThereIsNoSocketDoesTheSame(Verb verb, Answer answer) {
        assertThat(cell(direct, verb, answer)).isEqualTo(cell(socket, verb, answer));
    }

    private static List<String> cell(Side side, Verb verb, Answer answer) {
        HasMetadata object = prepared(side, verb, answer);
        Client caller = answer == Answer.SILENT ? side.impatient() : side.client();
        side.requests().clear();
        List<String> seen = new ArrayList<>();
        seen.add(outcome(side, caller, verb, answer, object));
        seen.addAll(side.log());
        seen.add(side.outcome(side.client(), client -> client.get(object.getClass(), ObjectKey.of(object))));
        return seen;
    }

    private static String outcome(Side side, Client caller, Verb verb, Answer answer, HasMetadata object) {
        Function<Client, @Nullable Object> call = client -> verb.call.apply(client, object);
        if (answer.fault == null) {
            return side.outcome(caller, call);
        }
        FaultRule rule = FaultRule.of(RequestMatch.any(), answer.fault);
        boolean isOnce = answer.name().endsWith("_ONCE");
        ActiveFault fault = side.faults().add(isOnce ? rule.once() : rule);
        try {
            return side.outcome(caller, call);
        } finally {
            fault.close();
        }
    }

    private static HasMetadata prepared(Side side, Verb verb, Answer answer) {
        String name = (verb + "-" + answer).toLowerCase(Locale.ROOT).replace('_', '-');
        HasMetadata object = verb == Verb.STATUS || verb == Verb.SCALE ? deployment(name) : map(name);
        boolean exists = (verb == Verb.CREATE) == (answer == Answer.MISSING);
        HasMetadata created = exists ? side.client().create(object) : object;
        if (exists && answer == Answer.GONE_MEANWHILE) {
            side.client().delete(created);
        }
        if (exists && answer == Answer.CHANGED_MEANWHILE) {
            side.client().patch(created, annotation("other"));
        }
        return created;
    }

    private static HasMetadata map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .addToLabels("cell", name)
                .endMetadata()
                .withData(Map.of("key", "value"))
                .build();
    }

    private static HasMetadata deployment(String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .addToLabels("cell", name)
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    /** Calls that the server answers by its rules. */
    static Stream<Arguments> rules() {
        return Stream.<Function<Client, @Nullable Object>>of(
                        client -> client.create(map("not a name")),
                        client -> client.create(labeled("labels", "not a value!")),
                        client -> client.create(in("missing", "elsewhere")),
                        client -> client.create(new ConfigMapBuilder()
                                        .withNewMetadata()
                                        .withNamespace(NAMESPACE)
                                        .withGenerateName("generated-")
                                        .endMetadata()
                                        .build())
                                .getData(),
                        client -> client.create(large("large", 900 * 1024))
                                .getData()
                                .size(),
                        client -> client.create(large("too-large", 4 * 1024 * 1024)),
                        client -> client.create(
                                map("dry"), WriteOptions.defaults().asDryRun()),
                        client -> client.dryRun().apply(map("dry-too")),
                        client -> client.withFieldManager("other").apply(map("theirs")),
                        client -> client.apply(labeled("theirs", "mine")),
                        client -> client.list(ConfigMap.class, "elsewhere"),
                        client -> client.list(Kind.of("example.com/v1", "Unknown"), Selection.all()),
                        client -> client.get(Kind.of("apps/v1", "Deployment"), ObjectKey.of(NAMESPACE, "none")),
                        client -> client.create(unknownField("strict")),
                        client -> client.discovery().findPreferred("apps", "Deployment"),
                        client -> client.discovery().versions("autoscaling"),
                        client -> client.discovery().isKubernetesAtLeast(34),
                        client -> client.list(
                                Kind.of(ConfigMap.class), Selection.all().withLabelSelector("cell in (a, b),!other")),
                        client -> client.list(ConfigMap.class).size())
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void callWhenRulesDecideHasTheSameAnswer(Function<Client, @Nullable Object> call) {
        assertThat(direct.outcome(direct.client(), call)).isEqualTo(socket.outcome(socket.client(), call));
    }

    private static ConfigMap labeled(String name, String value) {
        return new ConfigMapBuilder((ConfigMap) map(name))
                .editMetadata()
                .addToLabels("other", value)
                .endMetadata()
                .addToData("key", value)
                .build();
    }

    private static ConfigMap in(String namespace, String name) {
        return new ConfigMapBuilder((ConfigMap) map(name))
                .editMetadata()
                .withNamespace(namespace)
                .endMetadata()
                .build();
    }

    private static ConfigMap large(String name, int size) {
        return new ConfigMapBuilder((ConfigMap) map(name))
                .addToData("large", "x".repeat(size))
                .build();
    }

    private static GenericKubernetesResource unknownField(String name) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion("v1");
        object.setKind("ConfigMap");
        object.setMetadata(map(name).getMetadata());
        object.setAdditionalProperty("unknown", true);
        return object;
    }
}
