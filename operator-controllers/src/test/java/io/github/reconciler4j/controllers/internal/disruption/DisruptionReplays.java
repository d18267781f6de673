package io.github.reconciler4j.controllers.internal.disruption;

import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatus;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatusBuilder;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.SubresourceClient;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.ObjectKey;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Repeats the cases of Kubernetes' tests of its controller of PodDisruptionBudgets. */
public final class DisruptionReplays {

    private static final String CONTROLLER = "disruption.DisruptionController.";

    private static final Map<Class<?>, String> NOTES = Map.of(
            ReplicationController.class, "replicationControllers",
            ReplicaSet.class, "replicaSets",
            Deployment.class, "deployments",
            StatefulSet.class, "statefulSets",
            PodDisruptionBudget.class, "budgets",
            Pod.class, "pods");

    private DisruptionReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        replays.replay("disruption.countHealthyPods", call -> {
            Instant now = Instant.parse(call.in("currentTime").asText());
            Map<String, String> waiting = UpstreamCase.readMap(call.in("disruptedPods"), String.class);
            assertThat(new DisruptedPods(waiting, List.of(), null).countHealthy(call.list("pods", Pod.class), now))
                    .isEqualTo(call.out(0).asInt());
        });
        replays.replay(CONTROLLER + "buildDisruptedPodMap", call -> {
            Instant now = Instant.parse(call.in("currentTime").asText());
            DisruptedPods disrupted = DisruptedPods.of(
                    Objects.requireNonNull(call.in("pdb", PodDisruptionBudget.class)),
                    call.list("pods", Pod.class),
                    now);
            assertThat(disrupted.waiting()).isEqualTo(UpstreamCase.readMap(call.out(0), String.class));
            Duration untilNext = disrupted.untilNext();
            assertThat(untilNext == null ? "" : now.plus(untilNext).toString())
                    .isEqualTo(call.out(1).asText(""));
        });
        stale(replays);
        scale(replays);
        replays.replay(CONTROLLER + "sync", DisruptionReplays::sync);
        replays.except(
                CONTROLLER + "sync",
                call -> needsScale(call)
                        || call.in("key").asText().equals("notExist")
                        || call.test().startsWith("TestInvalidSelectors"),
                "the fake client of the subresource scale is not recorded, or no server has the object");
        return replays;
    }

    private static void stale(Replays replays) {
        replays.replay(CONTROLLER + "nonTerminatingPodHasStaleDisruptionCondition", call -> {
            Optional<Duration> left = StaleConditions.timeLeft(
                    Objects.requireNonNull(call.in("pod", Pod.class)),
                    Instant.parse(call.note("clock").asText()));
            assertThat(left.isPresent()).isEqualTo(call.out(0).asBoolean());
            assertThat(left.orElse(Duration.ZERO).toNanos())
                    .isEqualTo(call.out(1).asLong());
        });
        replays.replay(CONTROLLER + "syncStalePodDisruption", call -> {
            String name = call.in("key").asText().split("/")[1];
            Instant now = Instant.parse(call.note("clock").asText());
            boolean resets = call.notes("pods", Pod.class).stream()
                    .filter(pod -> pod.getMetadata().getName().equals(name))
                    .anyMatch(pod -> StaleConditions.timeLeft(pod, now)
                            .filter(Duration::isZero)
                            .isPresent());
            assertThat(resets).isEqualTo(!call.actions("update", "pods").isEmpty());
        });
    }

    private static void scale(Replays replays) {
        replays.replay(CONTROLLER + "getExpectedScale", call -> {
            Scales scales = new Scales(client(call, new ArrayList<>()), cache());
            List<Pod> pods = call.list("pods", Pod.class);
            if (!call.out(2).isNull()) {
                org.assertj.core.api.Assertions.assertThatThrownBy(() -> scales.of(pods))
                        .isInstanceOf(RuntimeException.class);
                return;
            }
            Scales.Sum sum = scales.of(pods);
            assertThat(sum.pods()).isEqualTo(call.out(0).asInt());
            assertThat(sum.unmanaged()).isEqualTo(call.outList(1, String.class));
        });
        replays.except(
                CONTROLLER + "getExpectedScale",
                call -> call.list("pods", Pod.class).stream().anyMatch(DisruptionReplays::hasOtherOwner),
                "the fake client of the subresource scale is not recorded");
    }

    private static boolean needsScale(UpstreamCase call) {
        return call.notes("pods", Pod.class).stream().anyMatch(DisruptionReplays::hasOtherOwner);
    }

    private static boolean hasOtherOwner(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> NOTES.keySet().stream()
                        .noneMatch(type -> type.getSimpleName().equals(owner.getKind())));
    }

    private static void sync(UpstreamCase call) {
        List<PodDisruptionBudget> written = new ArrayList<>();
        Client client = client(call, written);
        Instant now = Instant.parse(call.note("clock").asText());
        String[] key = call.in("key").asText().split("/");
        new DisruptionReconciler(client, entry -> {}, new Scales(client, cache()), Clock.fixed(now, ZoneOffset.UTC))
                .reconcile(
                        new DisruptionRequest.OfBudget(ObjectKey.of(key[0], key[1])),
                        ReconcileContext.of(new Request(key[0], key[1])));
        assertThat(written.stream()
                        .map(budget -> describe(budget.getStatus(), now))
                        .toList())
                .isEqualTo(call.notes("written", PodDisruptionBudget.class).stream()
                        .map(budget -> describe(budget.getStatus(), now))
                        .toList());
    }

    private static JsonNode describe(PodDisruptionBudgetStatus status, Instant now) {
        PodDisruptionBudgetStatus copy = new PodDisruptionBudgetStatusBuilder(status).build();
        copy.getConditions().forEach(condition -> {
            Instant time = Instant.parse(condition.getLastTransitionTime());
            if (Duration.between(time, now).abs().toSeconds() < 3) {
                condition.setLastTransitionTime("now");
            }
            if ("SyncFailed".equals(condition.getReason())) {
                condition.setMessage("a message");
            }
        });
        return json(copy);
    }

    private interface Call {
        Object run(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call.run(method.getName(), arguments)));
    }

    private static Cache cache() {
        return proxy(Cache.class, (method, arguments) -> null);
    }

    private static Client client(UpstreamCase call, List<PodDisruptionBudget> written) {
        SubresourceClient status = proxy(SubresourceClient.class, (method, arguments) -> {
            written.add((PodDisruptionBudget) arguments[0]);
            return arguments[0];
        });
        return proxy(Client.class, (method, arguments) -> switch (method) {
            case "status" -> status;
            case "list" ->
                call.notes("pods", Pod.class).stream()
                        .filter(pod -> pod.getMetadata().getNamespace().equals(arguments[1]))
                        .toList();
            case "get" -> get(call, (Class<?>) arguments[0], arguments);
            case "scale" -> throw new IllegalStateException("found no controllers");
            default -> throw new AssertionError("unexpected call of " + method);
        });
    }

    private static Optional<?> get(UpstreamCase call, Class<?> type, Object[] arguments) {
        ObjectKey key = arguments.length == 2
                ? (ObjectKey) arguments[1]
                : ObjectKey.of((String) arguments[1], (String) arguments[2]);
        return call.notes(Objects.requireNonNull(NOTES.get(type)), type).stream()
                .filter(object -> ObjectKey.of((HasMetadata) object).equals(key))
                .findFirst();
    }
}
