package io.github.reconciler4j.manager.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerStartException;
import io.github.reconciler4j.reconcile.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProbeServerTests {

    private final Manager manager = Manager.create(new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:1")
            .build());

    @AfterEach
    void close() {
        manager.close();
    }

    private static HttpResponse<String> get(ProbeServer server, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(30))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void startWhenManagerHasNotStartedIsAliveButNotReady() throws Exception {
        ProbeServer server = ProbeServer.addTo(
                manager,
                ProbeServerOptions.defaults().withAddress("127.0.0.1", 0).withMetrics(() -> "a_total 1\n"));
        server.start();
        assertThat(get(server, "/healthz").body()).isEqualTo("ok");
        assertThat(get(server, "/readyz").statusCode()).isEqualTo(500);
        assertThat(get(server, "/readyz").body()).contains("[-]manager failed: reason withheld");
        assertThat(get(server, "/readyz?exclude=manager&verbose").body()).contains("[+]manager excluded: ok");
        assertThat(get(server, "/readyz/cache").statusCode()).isEqualTo(200);
        assertThat(get(server, "/healthz/unknown").statusCode()).isEqualTo(404);
        assertThat(get(server, "/healthzz").statusCode()).isEqualTo(404);
        assertThat(get(server, "/").statusCode()).isEqualTo(404);
        assertThat(get(server, "/debug/pprof/").statusCode()).isEqualTo(404);
        assertThat(get(server, "/metrics").body()).isEqualTo("a_total 1\n");
        server.stop(Duration.ZERO);
        assertThat(server.port()).isZero();
        Awaitility.await("no thread of the server")
                .atMost(Duration.ofSeconds(30))
                .until(() -> LiveThreads.named("probe-server").isEmpty());
    }

    @Test
    void serverWhenNoMetricsAreGivenServesProbesOnlyAndEndsWithTheManager() throws Exception {
        ProbeServerOptions anyPort = ProbeServerOptions.defaults().withAddress("127.0.0.1", 0);
        ProbeServer server = ProbeServer.addTo(manager, anyPort);
        server.start();
        assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(server, "/metrics").statusCode()).isEqualTo(404);
        manager.close();
        assertThat(server.port()).isZero();
    }

    @Test
    void serverWhenACheckIsAddedLaterAnswersForItToo() throws Exception {
        ProbeServerOptions anyPort = ProbeServerOptions.defaults().withAddress("127.0.0.1", 0);
        ProbeServer server = ProbeServer.addTo(manager, anyPort);
        server.start();
        assertThat(get(server, "/healthz/controller/late").statusCode()).isEqualTo(404);
        ControllerBuilder.of(ConfigMap.class)
                .named("late")
                .reconciler((map, context) -> Result.done())
                .addTo(manager);
        assertThat(get(server, "/healthz/controller/late").statusCode()).isEqualTo(200);
    }

    @Test
    void startWhenPortIsTakenNamesIt() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            ProbeServer server = ProbeServer.addTo(
                    manager, ProbeServerOptions.defaults().withAddress("127.0.0.1", taken.getLocalPort()));
            assertThatThrownBy(manager::start)
                    .isInstanceOf(ManagerStartException.class)
                    .hasMessageContaining(
                            "probe-server could not start: cannot listen on /127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("or choose another one with ProbeServerOptions.withAddress");
            assertThat(server.port()).isZero();
        }
    }

    @Test
    void optionsWhenPathsOrPortAreInvalidAreRejected() {
        ProbeServerOptions defaults = ProbeServerOptions.defaults();
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withPaths("/a", "/a"));
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withPaths("a", "/b"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withPaths("/metrics", "/b"))
                .withMessageContaining("'livenessPath'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withPaths("/a", "/"))
                .withMessageContaining("'readinessPath'");
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withAddress("", 65_536));
    }
}
