package io.github.reconciler4j.test.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** This module has no controllers on its class path. */
class MissingControllersTests {

    @Test
    void startWhenControllersAreMissingNamesTheDependency() {
        TestClusterOptions options = TestClusterOptions.defaults().withCluster(TestCluster.FULL);

        assertThatThrownBy(() -> TestCluster.start(options))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'io.github.reconciler4j:reconciler4j-test-cluster' in scope 'test'");
    }
}
