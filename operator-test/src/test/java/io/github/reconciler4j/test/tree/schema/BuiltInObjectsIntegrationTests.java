package io.github.reconciler4j.test.tree.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.test.tree.BothServers;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Objects of built-in kinds written to our server and to a real one: the same defaults, the same complaints. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BuiltInObjectsIntegrationTests {
    private BothServers servers;

    @BeforeAll
    void start(RealKubernetes kubernetes) {
        servers = new BothServers(kubernetes);
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    @AfterEach
    void forget() {
        servers.differences().clear();
    }

    @Test
    void newObjectsWhenGoodGetTheSameDefaults() throws IOException {
        for (String line : BothServers.lines("built-in-objects.txt")) {
            String[] request = line.split(" ", 2);
            servers.create(request[0] + "?dryRun=All&fieldManager=m", request[1]);
        }
        assertThat(servers.differences()).isEmpty();
    }
}
