package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.manager.Manager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** How the operator starts and ends with its application. */
@ExtendWith(OutputCaptureExtension.class)
class ManagerLifecycleTests extends RunningOperatorFixture {

    @Test
    void startInAPodNamesTheFlagsThatTheJvmLacks(CapturedOutput output) {
        System.setProperty(Config.KUBERNETES_SERVICE_HOST_PROPERTY, "10.0.0.1");
        try {
            run(server.clientConfig(), "--logging.level." + JvmFlags.class.getName() + "=info")
                    .close();
        } finally {
            System.clearProperty(Config.KUBERNETES_SERVICE_HOST_PROPERTY);
        }
        assertThat(output.getAll()).containsOnlyOnce("The JVM runs without -XX:");
    }

    @Test
    void closeWhenAReconcileRunsLetsItFinishWithReadinessDown() throws Exception {
        ConfigurableApplicationContext context = run(server.clientConfig());
        HealthIndicator readiness = context.getBean("reconciler4jReadinessHealthIndicator", HealthIndicator.class);
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
                "--reconciler4j.grace-period=60s");
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
        ConfigurableApplicationContext context = run(server.clientConfig(), "--reconciler4j.grace-period=100ms");
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
        ConfigurableApplicationContext first = run(server.clientConfig(), "--reconciler4j.name=first");
        ConfigurableApplicationContext second = run(server.clientConfig(), "--reconciler4j.name=second");
        create(first, "both");
        eventually("both reconcile")
                .until(() -> operator(first).reconciled.contains("both")
                        && operator(second).reconciled.contains("both"));

        first.close();

        assertThat(second.getBean(Manager.class).status().running()).isTrue();
        create(second, "second");
        eventually("the second continues")
                .until(() -> operator(second).reconciled.contains("second"));
        eventually("no thread").untilAsserted(() -> assertThat(threads("first")).isEmpty());
        second.close();
        eventually("no thread")
                .untilAsserted(() -> assertThat(threads("second")).isEmpty());
    }

    @Test
    void contextWhenPausedKeepsTheOperatorRunningAndRefusesARestart() {
        ConfigurableApplicationContext context = run(server.clientConfig());
        context.pause();
        assertThat(context.getBean(Manager.class).status().running()).isTrue();
        context.restart();
        assertThat(context.getBean(Manager.class).status().running()).isTrue();

        context.stop();
        assertThatThrownBy(context::start).hasStackTraceContaining("create a new one");
    }
}
