package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.request.ServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What sets of a controller request when nothing or one thing has changed, of the API server in this JVM. */
class IdleObjectSetsTests extends ObjectSetFixture {

    private static final int SETS = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String LABEL = "version";

    private final Map<String, Integer> runs = new ConcurrentHashMap<>();
    private Client user;
    private Manager manager;
    private Controller<Request> controller;
    private ObjectSets managed;

    @BeforeEach
    void startController() {
        runs.clear();
        user = Client.create(
                ApiConnection.open(server.clientConfig(server.addUser("user", "system:masters"))),
                Scheme.create(),
                ClientOptions.defaults());
        manager = Manager.create(server.clientConfig());
        managed = ObjectSets.create(manager);
        controller = ControllerBuilder.of(ConfigMap.class)
                .named("owners")
                .inNamespaces(namespace)
                .when(EventPredicates.header(header -> header.key().name().startsWith("set-")))
                .options(ControllerOptions.defaults().withMaxConcurrentReconciles(4))
                .owns(Secret.class)
                .owns(ServiceAccount.class)
                .reconciler(this::reconcile)
                .addTo(manager);
        manager.start();
    }

    @AfterEach
    void close() {
        manager.close();
    }

    private Result reconcile(ConfigMap owner, ReconcileContext context) {
        String name = owner.getMetadata().getName();
        Secret secret = secret(name);
        secret.getMetadata().setLabels(Map.of(LABEL, owner.getData().get(LABEL)));
        Result result = managed.reconcile(
                        ObjectSet.ownedBy(owner).apply(secret).untilReady().then(s -> s.apply(account(name))))
                .toResult();
        runs.merge(name, 1, Integer::sum);
        return result;
    }

    private void createSets(int count) {
        IntStream.range(0, count)
                .forEach(i -> client.create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("set-" + i)
                        .endMetadata()
                        .addToData(LABEL, "one")
                        .build()));
        await("each set is reconciled").atMost(TIMEOUT).until(() -> runs.size() == count);
        reconcileAll();
        reconcileAll(); // the first one can compare with what the server has
        server.requests().clear();
    }

    private void reconcileAll() {
        Map<String, Integer> before = Map.copyOf(runs);
        before.keySet().forEach(name -> controller.operations().requeue(new Request(namespace, name)));
        awaitRuns(before);
    }

    private void awaitRuns(Map<String, Integer> before) {
        await("each set is reconciled again")
                .atMost(TIMEOUT)
                .until(() -> before.entrySet().stream().allMatch(each -> runs.get(each.getKey()) > each.getValue()));
    }

    private List<ServerRequest> requests(Predicate<ServerRequest> match) {
        return server.requests().all().stream()
                .map(LoggedRequest::request)
                .filter(request -> request.namespace().equals(namespace))
                .filter(match)
                .toList();
    }

    @Test
    void thousandSetsAtRestSendNothing() {
        createSets(SETS);

        reconcileAll();

        assertThat(requests(RequestMatch.watches().negate())).isEmpty();
    }

    /** Changes something, waits for the reconciliations that it leads to, and returns what the sets wrote. */
    private List<String> writesAfter(String name, Runnable change) {
        Map<String, Integer> before = Map.copyOf(runs);
        server.requests().clear();
        change.run();
        RequestMatch ours = RequestMatch.writes().user("admin");
        await("the write is logged").atMost(TIMEOUT).until(() -> !requests(ours).isEmpty());
        await("the change and the write that follows are seen")
                .atMost(TIMEOUT)
                .until(() -> runs.get(name) >= before.get(name) + 2);
        return requests(ours).stream()
                .map(request -> request.verb() + " " + request.kind() + " " + request.name())
                .toList();
    }

    @Test
    void changeOfOneChildIsTheOnlyOneThatIsWritten() {
        createSets(20);

        assertThat(writesAfter("set-7", () -> edit(secret("set-7")))).containsExactly("patch Secret set-7");
        assertThat(writesAfter("set-7", () -> user.delete(placed(account("set-7")))))
                .containsExactly("patch ServiceAccount set-7");
        assertThat(writesAfter(
                        "set-8",
                        () -> user.createOrPatch(
                                placed("set-8"), owner -> owner.getData().put(LABEL, "two"))))
                .containsExactly("patch Secret set-8");
    }

    private void edit(Secret desired) {
        desired.getMetadata().setNamespace(namespace);
        user.createOrPatch(desired, secret -> secret.getMetadata().setLabels(Map.of(LABEL, "wrong")));
    }

    private ServiceAccount placed(ServiceAccount account) {
        account.getMetadata().setNamespace(namespace);
        return account;
    }

    private ConfigMap placed(String name) {
        return client.live().get(ConfigMap.class, namespace, name).orElseThrow();
    }
}
