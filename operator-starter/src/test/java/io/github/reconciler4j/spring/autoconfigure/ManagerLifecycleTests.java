package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.ApiConnection;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.spring.LeadershipEvent;
import io.github.reconciler4j.spring.OperatorFailedEvent;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** How the operator starts and ends with its application. */
@Timeout(180)
class ManagerLifecycleTests {

    private static final List<String> PREFIXES =
            List.of("lifecycle-", "operator-", "controller-", "reconciler4j-http-", "event-writer");

    private final KubernetesServer server = KubernetesServer.start();

    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();
    private final List<String> journal = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeContexts() {
        contexts.forEach(ConfigurableApplicationContext::close);
        server.close();
    }

    /** An operator whose reconciles of objects named {@code slow} wait until they are let go. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Operator {

        final CountDownLatch slowBegins = new CountDownLatch(1);
        final CountDownLatch slowMayEnd = new CountDownLatch(1);
        final List<String> reconciled = new CopyOnWriteArrayList<>();
        final List<LeadershipEvent> leadership = new CopyOnWriteArrayList<>();
        final List<OperatorFailedEvent> failures = new CopyOnWriteArrayList<>();

        @EventListener
        void leadership(LeadershipEvent event) {
            leadership.add(event);
        }

        @EventListener
        void failed(OperatorFailedEvent event) {
            failures.add(event);
        }

        @Bean
        @Reconciler(name = "maps", forType = ConfigMap.class)
        RequestReconciler<Request> maps() {
            return (request, context) -> {
                if (request.name().equals("slow")) {
                    slowBegins.countDown();
                    slowMayEnd.await();
                }
                reconciled.add(request.name());
                return Result.done();
            };
        }
    }

    /** Something that reconciles may use, stopped after the operator and before web servers. */
    private final class Resource implements SmartLifecycle {

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            journal.add("resource stopped");
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return ManagerLifecycle.PHASE - 1;
        }
    }

    private ConfigurableApplicationContext run(Config config, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--spring.main.banner-mode=off", "--operator.name=lifecycle"));
        all.addAll(List.of(arguments));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Operator.class)
                .web(WebApplicationType.NONE)
                .initializers(created -> {
                    contexts.add(created);
                    created.getBeanFactory().registerSingleton("config", config);
                    created.getBeanFactory().registerSingleton("resource", new Resource());
                })
                .listeners((ApplicationListener<AvailabilityChangeEvent<?>>)
                        event -> journal.add(String.valueOf(event.getState())))
                .run(all.toArray(String[]::new));
        return context;
    }

    private static Config unreachable() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:1")
                .build();
    }

    private static void create(ConfigurableApplicationContext context, String name) {
        context.getBean(Client.class)
                .create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .build());
    }

    private static ConditionFactory eventually(String what) {
        return await(what).atMost(Duration.ofSeconds(60));
    }

    private static Operator operator(ConfigurableApplicationContext context) {
        return context.getBean(Operator.class);
    }

    @Test
    void closeWhenAReconcileRunsLetsItFinishWithReadinessDown() throws Exception {
        ConfigurableApplicationContext context = run(server.clientConfig());
        HealthIndicator readiness = context.getBean("operatorReadinessHealthIndicator", HealthIndicator.class);
        eventually("ready").until(() -> readiness.health().getStatus().equals(Status.UP));
        create(context, "slow");
        Operator operator = operator(context);
        operator.slowBegins.await();

        Thread closer = new Thread(context::close);
        closer.start();
        eventually("traffic is refused").until(() -> journal.contains("REFUSING_TRAFFIC"));
        eventually("not ready").until(() -> readiness.health().getStatus().equals(Status.DOWN));
        assertThat(journal).doesNotContain("resource stopped");
        operator.slowMayEnd.countDown();
        closer.join();

        assertThat(operator.reconciled).contains("slow");
        assertThat(journal)
                .containsExactly("CORRECT", "CORRECT", "ACCEPTING_TRAFFIC", "REFUSING_TRAFFIC", "resource stopped");
        eventually("no thread").untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void closeWhenSpringsTimeoutIsShorterThanTheGracePeriodWaitsForTheGracePeriod() throws Exception {
        ConfigurableApplicationContext context = run(
                server.clientConfig(),
                "--spring.lifecycle.timeout-per-shutdown-phase=10ms",
                "--operator.grace-period=60s");
        create(context, "slow");
        Operator operator = operator(context);
        operator.slowBegins.await();

        Thread closer = new Thread(context::close);
        closer.start();
        eventually("traffic is refused").until(() -> journal.contains("REFUSING_TRAFFIC"));
        closer.join(500);
        assertThat(journal).doesNotContain("resource stopped");
        operator.slowMayEnd.countDown();
        closer.join();

        assertThat(operator.reconciled).contains("slow");
        assertThat(journal).endsWith("resource stopped");
    }

    @Test
    void closeWhenTheGracePeriodIsOverInterruptsAndEnds() throws Exception {
        ConfigurableApplicationContext context = run(server.clientConfig(), "--operator.grace-period=100ms");
        create(context, "slow");
        operator(context).slowBegins.await();
        Operator operator = operator(context);

        context.close();

        assertThat(operator.reconciled).doesNotContain("slow");
        assertThat(journal).endsWith("resource stopped");
        eventually("no thread").untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void contextsWhenThereAreTwoWorkSideBySide() {
        ConfigurableApplicationContext first = run(server.clientConfig(), "--operator.name=first");
        ConfigurableApplicationContext second = run(server.clientConfig(), "--operator.name=second");
        create(first, "both");
        eventually("both reconcile")
                .until(() -> operator(first).reconciled.contains("both")
                        && operator(second).reconciled.contains("both"));

        first.close();

        assertThat(second.getBean(Manager.class).isRunning()).isTrue();
        create(second, "second");
        eventually("the second goes on").until(() -> operator(second).reconciled.contains("second"));
        eventually("no thread").untilAsserted(() -> assertThat(threads("first")).isEmpty());
        second.close();
        eventually("no thread")
                .untilAsserted(() -> assertThat(threads("second")).isEmpty());
    }

    @Test
    void startWhenTheApiServerDoesNotAnswerFailsAndLeavesNothing() {
        assertThatThrownBy(() -> run(unreachable(), "--operator.api-server-timeout=1s"))
                .hasStackTraceContaining("https://127.0.0.1:1");
        assertThat(contexts)
                .singleElement()
                .satisfies(context -> assertThat(context.isActive()).isFalse());
        eventually("no thread").untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void managerWhenItFailsLaterMarksTheApplicationBrokenAndClosesIt() {
        ConfigurableApplicationContext context = run(server.clientConfig());
        Operator operator = operator(context);
        Manager manager = context.getBean(Manager.class);
        manager.fail("the press", new IllegalStateException("out of paper"));
        eventually("closed").until(() -> !context.isActive());
        assertThat(operator.failures).singleElement().satisfies(event -> {
            assertThat(event.manager()).isSameAs(manager);
            assertThat(event.cause()).hasMessageContaining("the press failed: out of paper");
        });
        eventually("resources are stopped").until(() -> journal.contains("resource stopped"));
        assertThat(journal)
                .containsExactly(
                        "CORRECT", "CORRECT", "ACCEPTING_TRAFFIC", "BROKEN", "REFUSING_TRAFFIC", "resource stopped");
        eventually("no thread").untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void leadershipWhenThereIsNoElectionIsPublishedOnceStarted() {
        ConfigurableApplicationContext context = run(server.clientConfig());
        assertThat(operator(context).leadership)
                .containsExactly(new LeadershipEvent(context.getBean(Manager.class), "", true, ""));
    }

    @Test
    void leadershipWhenTheLeaseIsStolenIsPublishedAsLostAndEndsTheOperator() {
        ConfigurableApplicationContext context = run(
                server.clientConfig(),
                "--operator.leader-election.enabled=true",
                "--operator.leader-election.namespace=default",
                "--operator.leader-election.lease-duration=6s",
                "--operator.leader-election.renew-deadline=4s",
                "--operator.leader-election.retry-period=500ms");
        Operator operator = operator(context);
        Manager manager = context.getBean(Manager.class);
        eventually("it leads").until(() -> operator.leadership.size() == 1);
        try (ApiConnection thief = ApiConnection.open(server.clientConfig())) {
            Client.create(thief, Scheme.create(), ClientOptions.defaults())
                    .patch(
                            Lease.class,
                            ObjectKey.of("default", "lifecycle"),
                            Patch.merge(Map.of("spec", Map.of("holderIdentity", "thief"))),
                            WriteOptions.defaults());
            eventually("closed").until(() -> !context.isActive());
        }
        assertThat(operator.leadership)
                .extracting(event -> event.lease() + " " + event.leading() + " " + event.reason())
                .containsExactly(" true ", " false it is held by thief now");
        assertThat(operator.failures)
                .singleElement()
                .satisfies(event -> assertThat(event.cause()).hasMessageContaining("was lost"));
        assertThat(journal).contains("BROKEN");
        assertThat(manager.isLeader()).isFalse();
    }

    @Test
    void contextWhenPausedLeavesTheOperatorRunningAndWhenRestartedSaysWhyItCannot() {
        ConfigurableApplicationContext context = run(server.clientConfig());
        context.pause();
        assertThat(context.getBean(Manager.class).isRunning()).isTrue();
        context.restart();
        assertThat(context.getBean(Manager.class).isRunning()).isTrue();

        context.stop();
        assertThatThrownBy(context::start).hasStackTraceContaining("make a new one");
    }

    /** The live threads of one operator that are named after it. */
    private static Set<String> threads(String operator) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(operator + "-") || name.startsWith("operator-" + operator))
                .collect(Collectors.toSet());
    }

    /** The live threads that are named as the framework names them, or are in its code. */
    private static Set<String> threads() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> isOurs(entry.getKey(), entry.getValue()))
                .map(entry -> entry.getKey().getName())
                .collect(Collectors.toSet());
    }

    private static boolean isOurs(Thread thread, StackTraceElement[] stack) {
        return PREFIXES.stream().anyMatch(thread.getName()::startsWith)
                || Arrays.stream(stack)
                        .map(StackTraceElement::getClassName)
                        .anyMatch(name -> name.startsWith("io.github.reconciler4j.")
                                && !name.startsWith("io.github.reconciler4j.test.")
                                && !name.contains("Tests"));
    }
}
