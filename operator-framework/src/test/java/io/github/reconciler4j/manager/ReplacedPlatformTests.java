package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.fixtures.TestPlatform;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.support.internal.Platform;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.net.Socket;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator whose threads, time and sockets a test has under control. */
@Timeout(120)
class ReplacedPlatformTests {

    private final KubernetesServer server = KubernetesServer.start();
    private final Set<Thread> before = Thread.getAllStackTraces().keySet();
    private final TestPlatform platform = new TestPlatform();
    private final Platform.Replacement replacement = Platform.replace(platform);
    private final List<String> reconciled = new CopyOnWriteArrayList<>();

    private final Manager manager = Manager.create(server.clientConfig());
    private final Controller<Request> controller = ControllerBuilder.of(ConfigMap.class)
            .reconciler((map, context) -> {
                reconciled.add(map.getMetadata().getName());
                return Result.requeueAfter(Duration.ofHours(1));
            })
            .addTo(manager);

    @AfterEach
    void restore() {
        manager.close();
        replacement.close();
        server.close();
    }

    private void create(String name) {
        manager.client()
                .create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .build());
    }

    private void awaitReconciled(String... names) {
        eventually(List.of(names) + " are reconciled").until(() -> reconciled.equals(List.of(names)));
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    /** Threads that appeared since the start and that neither the API server nor the JVM nor the test has created. */
    private List<String> foreignThreads() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeAll(before);
        platform.threads().forEach(threads::remove);
        return threads.stream()
                .map(Thread::getName)
                .filter(name -> Stream.of(
                                "kubernetes-server-", "request-deadlines", "ForkJoinPool", "junit", "awaitility")
                        .noneMatch(name::startsWith))
                .toList();
    }

    @Test
    void operatorWhenThePlatformIsReplacedTakesAllThreadsAndSocketsFromIt() {
        manager.start();
        create("one");
        awaitReconciled("one");

        assertThat(foreignThreads()).isEmpty();
        assertThat(platform.threads().stream().filter(Thread::isAlive).map(Thread::getName))
                .anyMatch(name -> name.startsWith("reflector-"))
                .anyMatch(name -> name.startsWith("controller-configmap"));
        assertThat(platform.sockets()).anyMatch(Socket::isConnected);

        manager.close();
        eventually("all threads end").until(() -> platform.threads().stream().noneMatch(Thread::isAlive));
        assertThat(platform.sockets()).allMatch(Socket::isClosed);
    }

    @Test
    void reconciliationWhenTheTimeStandsStillWaitsUntilTheTestAdvancesIt() {
        manager.start();
        create("one");
        awaitReconciled("one");
        eventually("it waits")
                .until(() -> controller.operations().queue().orElseThrow().delayed() == 1);

        platform.advance(Duration.ofMinutes(59));
        create("two");
        awaitReconciled("one", "two");
        platform.advance(Duration.ofMinutes(1));
        awaitReconciled("one", "two", "one");
    }

    @Test
    void requestWhenTheServerAsksToWaitIsSentAgainAfterThatTime() throws InterruptedException {
        RequestMatch creations = RequestMatch.verbs("create").kind("configmaps");
        server.faults()
                .add(FaultRule.of(creations, Fault.tooManyRequests(Duration.ofSeconds(10)))
                        .once());
        manager.start();
        Thread caller = new Thread(() -> create("late"), "caller");
        caller.start();
        eventually("the call waits").until(() -> platform.sleeping() == 1);
        platform.advance(Duration.ofMillis(9_999));
        assertThat(platform.sleeping()).isOne();
        assertThat(reconciled).isEmpty();

        platform.advance(Duration.ofMillis(1));
        caller.join();
        awaitReconciled("late");
    }

    @Test
    void replaceWhenAnotherTestHasReplacedThePlatformFails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Platform.replace(new TestPlatform()))
                .withMessage("The platform is replaced already: end the other test first");
        assertThat(Platform.current()).isSameAs(platform);
    }
}
