package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.spring.OnLeader;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

class OnLeaderMethodsTests extends RunningOperatorFixture {

    private static final List<String> ELECTION = List.of(
            "--reconciler4j.leader-election.enabled=true",
            "--reconciler4j.leader-election.namespace=default",
            "--reconciler4j.leader-election.retry-period=200ms");

    /** What a replica counts. */
    static class Reports {

        final AtomicInteger onLeader = new AtomicInteger();
        final AtomicInteger everywhere = new AtomicInteger();

        @OnLeader
        @Scheduled(fixedDelay = 20)
        void onLeader() {
            onLeader.incrementAndGet();
        }

        @Scheduled(fixedDelay = 20)
        void everywhere() {
            everywhere.incrementAndGet();
        }

        /** Fields of a proxy are not those of its bean. */
        int ofLeader() {
            return onLeader.get();
        }

        int ofAll() {
            return everywhere.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {

        @Bean
        Reports reports() {
            return new Reports();
        }
    }

    /** The annotation of a method that a subclass overrides, and of one with two schedules. */
    static class Guarded {

        @OnLeader
        void onLeader() {
            throw new AssertionError("overridden");
        }
    }

    static class OverridingReports extends Guarded {

        final AtomicInteger onLeader = new AtomicInteger();
        final AtomicInteger twice = new AtomicInteger();
        final AtomicInteger everywhere = new AtomicInteger();

        @Override
        @Scheduled(fixedDelay = 20)
        void onLeader() {
            onLeader.incrementAndGet();
        }

        @OnLeader
        @Scheduled(fixedDelay = 20)
        @Scheduled(fixedDelay = 30)
        void twice() {
            twice.incrementAndGet();
        }

        @Scheduled(fixedDelay = 20)
        void everywhere() {
            everywhere.incrementAndGet();
        }

        List<Integer> counts() {
            return List.of(onLeader.get(), twice.get(), everywhere.get());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class OverridingScheduling {

        @Bean
        OverridingReports reports() {
            return new OverridingReports();
        }
    }

    @Test
    void annotationWhenInheritedOrWithTwoSchedulesGuardsTheMethod() {
        ConfigurableApplicationContext leader = replica(OverridingScheduling.class);
        OverridingReports first = leader.getBean(OverridingReports.class);
        eventually("the first leads").until(() -> first.counts().stream().allMatch(count -> count >= 2));
        OverridingReports second = replica(OverridingScheduling.class).getBean(OverridingReports.class);
        eventually("the second is scheduled").until(() -> second.counts().get(2) >= 5);
        assertThat(second.counts()).startsWith(0, 0);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @EnableAsync
    static class AsyncScheduling extends Scheduling {}

    private ConfigurableApplicationContext replica(Class<?> configuration, String... arguments) {
        List<String> all = new java.util.ArrayList<>(ELECTION);
        all.addAll(List.of(arguments));
        return run(List.of(configuration), server.clientConfig(), all.toArray(String[]::new));
    }

    private static Reports reports(ConfigurableApplicationContext context) {
        return context.getBean(Reports.class);
    }

    /** It acquires no lease, so that it can run beside the leader. */
    @ParameterizedTest
    @ValueSource(strings = {"observe", "dry-run"})
    void methodWhenTheOperatorChangesNothingDoesNotRun(String mode) {
        ConfigurableApplicationContext observer = replica(Scheduling.class, "--reconciler4j.mode=" + mode);
        Manager manager = observer.getBean(Manager.class);
        eventually("it runs").until(() -> manager.status().leader());
        int before = reports(observer).ofAll();
        eventually("it is scheduled").until(() -> reports(observer).ofAll() >= before + 5);
        assertThat(reports(observer).ofLeader()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {Scheduling.class, AsyncScheduling.class})
    void methodRunsOnTheLeaderAloneAndMovesWithTheLease(Class<?> configuration) {
        ConfigurableApplicationContext first = replica(configuration);
        eventually("the first leads").until(() -> reports(first).ofLeader() >= 2);
        ConfigurableApplicationContext second = replica(configuration);
        int before = reports(first).ofLeader();
        eventually("both are scheduled")
                .until(() -> reports(second).ofAll() >= 5 && reports(first).ofLeader() > before);
        assertThat(reports(second).ofLeader()).isZero();

        Reports stopped = reports(first);
        first.close();

        int afterStop = stopped.ofLeader();
        eventually("the second leads").until(() -> reports(second).ofLeader() >= 2);
        assertThat(stopped.ofLeader()).isEqualTo(afterStop);
    }

    @Test
    void methodWhenThereIsNoElectionRunsAfterTheStart() {
        ConfigurableApplicationContext context = run(List.of(Scheduling.class), server.clientConfig());
        eventually("it runs").until(() -> reports(context).ofLeader() >= 2);
        context.getBean(Manager.class).stop();
        int stopped = reports(context).ofLeader();
        int all = reports(context).ofAll();
        eventually("others run").until(() -> reports(context).ofAll() >= all + 3);
        assertThat(reports(context).ofLeader()).isBetween(stopped, stopped + 1); // one may have started before the stop
    }

    @ParameterizedTest
    @ValueSource(strings = {"reconciler4j.enabled", "reconciler4j.auto-startup"})
    void methodWhenTheOperatorDoesNotRunDoesNotEither(String property) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(OperatorAutoConfiguration.class, OnLeaderAutoConfiguration.class))
                .withBean(io.fabric8.kubernetes.client.Config.class, server::clientConfig)
                .withUserConfiguration(Scheduling.class)
                .withPropertyValues(property + "=false")
                .run(context -> {
                    Reports reports = context.getBean(Reports.class);
                    eventually("others run").until(() -> reports.ofAll() >= 3);
                    assertThat(reports.ofLeader()).isZero();
                });
    }

    @Test
    void startWhenReplicasShareTheObjectsAndNoneLeadsIsRefused() {
        runner(Reports.class)
                .withPropertyValues(
                        "reconciler4j.sharding.enabled=true", "reconciler4j.sharding.lease-namespace=default")
                .run(context -> {
                    FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(report).isNotNull();
                    assertThat(report.getDescription()).contains("[Reports.onLeader]", "all replicas");
                    assertThat(report.getAction()).contains("reconciler4j.leader-election.enabled");
                });
    }

    private ApplicationContextRunner runner(Class<?> bean) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(OperatorAutoConfiguration.class, OnLeaderAutoConfiguration.class))
                .withBean(io.fabric8.kubernetes.client.Config.class, server::clientConfig)
                .withPropertyValues("reconciler4j.auto-startup=false")
                .withBean("report", bean);
    }

    static class Unscheduled {
        @OnLeader
        void run() {}
    }

    static class Returning {
        @OnLeader
        @Scheduled(fixedDelay = 20)
        int run() {
            return 1;
        }
    }

    static class Private {
        @OnLeader
        @Scheduled(fixedDelay = 20)
        private void run() {}
    }

    static class Final {
        @OnLeader
        @Scheduled(fixedDelay = 20)
        final void run() {}
    }

    static class Static {
        @OnLeader
        @Scheduled(fixedDelay = 20)
        static void run() {}
    }

    static final class FinalClass {
        @OnLeader
        @Scheduled(fixedDelay = 20)
        void run() {}
    }

    static class Inheriting extends Returning {}

    @ParameterizedTest
    @CsvSource({
        "Unscheduled,is not annotated with @Scheduled",
        "Returning,does not return void",
        "Private,'is final, private or static'",
        "Final,'is final, private or static'",
        "Static,'is final, private or static'",
        "FinalClass,is in a final class",
        "Inheriting,does not return void"
    })
    void methodWhenItCannotBeGuardedStopsTheStart(String bean, String problem) throws ClassNotFoundException {
        runner(Class.forName(OnLeaderMethodsTests.class.getName() + "$" + bean)).run(context -> {
            FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription())
                    .isEqualTo("The @OnLeader method " + bean + ".run of the bean 'report' " + problem + ".");
            assertThat(report.getAction()).isNotBlank();
        });
    }
}
