package io.github.reconciler4j.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.test.cluster.ClusterControllersProvider;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On the class path of these tests there is no API server inside the JVM. */
class MissingServerTests {

    @Test
    void startWhenTheServerIsNotOnTheClassPathNamesTheDependency() {
        assertThatThrownBy(KubernetesServer::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Add the dependency 'io.github.reconciler4j:reconciler4j-test-server'")
                .hasMessageContaining("set 'reconciler4j.test.cluster' to 'assets' or 'context:NAME'");
    }

    @Test
    void clusterWhenTheServerIsNotOnTheClassPathNamesTheDependency() {
        assertThatThrownBy(() -> TestCluster.start(TestClusterOptions.defaults()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Add the dependency 'io.github.reconciler4j:reconciler4j-test-server'");
    }

    @Test
    void controllersWhenTheyAreNotOnTheClassPathNameTheDependency() {
        assertThatThrownBy(ClusterControllersProvider::find)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Add the dependency 'io.github.reconciler4j:reconciler4j-test-cluster'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.netty.channel.Channel",
                "dev.cel.runtime.CelRuntime",
                "com.google.protobuf.Message",
                "com.google.common.collect.ImmutableList"
            })
    void classPathWhenTheServerIsMissingHasNoneOfItsLibraries(String type) {
        assertThatThrownBy(() -> Class.forName(type)).isInstanceOf(ClassNotFoundException.class);
    }
}
