package io.github.reconciler4j.test.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.TestRuns;
import io.github.reconciler4j.test.junit.KubernetesTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Start and end of servers and applications of other test classes. */
class OperatorTestLifecycleTests {
    private static final List<KubernetesServer> SERVERS = new ArrayList<>();
    private static final List<ConfigurableApplicationContext> APPLICATIONS = new ArrayList<>();

    @BeforeEach
    void forgetServers() {
        SERVERS.clear();
        APPLICATIONS.clear();
    }

    @AfterEach
    void endApplications() {
        APPLICATIONS.forEach(ConfigurableApplicationContext::close);
    }

    private static void run(Class<?> testClass) {
        TestExecutionSummary summary = TestRuns.run(testClass);
        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isPositive();
    }

    @Test
    void serverWhenItsClassHasEndedIsGone() {
        run(OwnServer.class);

        assertThat(APPLICATIONS.get(0).isActive()).isFalse();
        assertThatThrownBy(() -> connect(SERVERS.get(0))).isInstanceOf(IOException.class);
    }

    @Test
    void serverWhenNotSharedIsAnotherForEachClass() {
        run(OwnServer.class);
        run(OtherOwnServer.class);

        assertThat(SERVERS).doesNotHaveDuplicates().hasSize(2);
    }

    @Test
    void serverWhenSharedIsTheSameForClassesWithEqualSettings() throws IOException {
        run(SharedServer.class);
        run(OtherSharedServer.class);

        assertThat(SERVERS.get(0)).isSameAs(SERVERS.get(1));
        connect(SERVERS.get(0));
    }

    @Test
    void serverWhenTheClassIsAPlainTestEndsWithIt() {
        run(PlainTest.class);

        assertThatThrownBy(() -> connect(SERVERS.get(0))).isInstanceOf(IOException.class);
    }

    @Test
    void applicationWhenItDoesNotStartIsAMessageThatBeginsWithTheCause() {
        assertThat(TestRuns.run(BrokenApplication.class).getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("The application of the test does not start:"
                                + " java.lang.IllegalArgumentException: the color is unknown, see its list")
                        .hasCauseInstanceOf(IllegalStateException.class));
    }

    private static void connect(KubernetesServer server) throws IOException {
        new Socket(InetAddress.getLoopbackAddress(), server.port()).close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class Broken {

        @Bean
        String color() {
            throw new IllegalArgumentException("the color is unknown,\n  see its list");
        }
    }

    @Disabled("run by the tests above")
    @OperatorTest(classes = Broken.class)
    static class BrokenApplication {
        @Test
        void neverRuns() {}
    }

    abstract static class Recording {
        @Test
        void record(@Autowired KubernetesServer server, @Autowired ConfigurableApplicationContext application) {
            SERVERS.add(server);
            APPLICATIONS.add(application);
        }
    }

    @Disabled("run by the tests above")
    @OperatorTest(classes = Application.class)
    static class OwnServer extends Recording {}

    @Disabled("run by the tests above")
    static class OtherOwnServer extends OwnServer {}

    @Disabled("run by the tests above")
    @OperatorTest(classes = Application.class, shared = true)
    static class SharedServer extends Recording {}

    @Disabled("run by the tests above")
    @OperatorTest(classes = Application.class, shared = true)
    static class OtherSharedServer extends Recording {}

    @Disabled("run by the tests above")
    @KubernetesTest
    static class PlainTest {
        @Test
        void record(KubernetesServer server) {
            SERVERS.add(server);
        }
    }
}
