package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * {@link WebAppTests}, just as they are, on real API servers. What needs the server in this JVM, or controllers where there are none,
 * is skipped there.
 */
@RealKubernetesTest
class WebAppOnRealClustersIntegrationTests {

    private final Map<String, String> settings = new HashMap<>();

    @AfterEach
    void restoreSettings() {
        settings.keySet().forEach(System::clearProperty);
    }

    private void set(String property, String value) {
        settings.put(property, value);
        System.setProperty(property, value);
    }

    @Test
    void testsWhenRunOnProgramsOfKubernetesSucceed(RealKubernetes kubernetes) {
        set("reconciler4j.test.cluster", "assets");
        set("reconciler4j.test.assets", kubernetes.binaries().toString());

        assertSuccess(run(), 5, 1);
    }

    @Test
    void testsWhenRunOnAnExistingClusterSucceed(RealKubernetes kubernetes) {
        set("reconciler4j.test.cluster", "context:admin");
        set("kubeconfig", kubernetes.kubeconfig().toString());

        assertSuccess(run(), 6, 0);
    }

    private static TestExecutionSummary run() {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(WebAppTests.class))
                                .build(),
                        listener);
        return listener.getSummary();
    }

    private static void assertSuccess(TestExecutionSummary summary, int succeeded, int aborted) {
        assertThat(summary.getFailures())
                .extracting(TestExecutionSummary.Failure::getException)
                .isEmpty();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(succeeded);
        assertThat(summary.getTestsAbortedCount()).isEqualTo(aborted);
        assertThat(summary.getTestsSkippedCount()).isEqualTo(3);
    }
}
