package io.github.reconciler4j.test.server.internal.apimachinery;

import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Our server and a real one for all tests of a class; what differed is forgotten after each. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BothServersFixture {

    /** The two, from before the first test until after the last. */
    protected BothServers servers;

    /** Makes both servers know what the tests write; by default nothing more than they know. */
    protected void define() {}

    @BeforeAll
    void start(RealKubernetes kubernetes) {
        servers = new BothServers(kubernetes);
        define();
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    @AfterEach
    void forget() {
        servers.differences().clear();
    }
}
