package io.github.reconciler4j.test.spring;

import io.github.reconciler4j.test.cluster.TestCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names the settings of {@link OperatorTest} that a real API server does not have. */
final class IgnoredSettings {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorTest.class);

    private IgnoredSettings() {}

    /** Warn of settings that have no effect, because the test runs on a real API server. */
    static void warn(Class<?> testClass, OperatorTest wanted) {
        List<String> ignored = new ArrayList<>();
        if (wanted.cluster().length > 0) {
            ignored.add("cluster = " + Arrays.toString(wanted.cluster()));
        }
        if (!wanted.kubernetes().isEmpty()) {
            ignored.add("kubernetes = \"" + wanted.kubernetes() + '"');
        }
        if (wanted.server() != ServerCustomizer.None.class) {
            ignored.add("server = " + wanted.server().getSimpleName() + ".class");
        }
        if (wanted.roles().length > 0) {
            ignored.add("roles = " + Arrays.toString(wanted.roles()));
        }
        if (!ignored.isEmpty() && !TestCluster.isInThisJvm()) {
            LOG.warn(
                    "{} runs on a real API server, which ignores {} of @OperatorTest. With 'assets', no controllers run:"
                            + " use TestCluster.runsDeployments() to leave out what waits for them (R4J-807)",
                    testClass.getName(),
                    String.join(" and ", ignored));
        }
    }
}
