package io.github.reconciler4j.manager.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.manager.Manager;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads and recordings that the probe server shows, and to which clients. */
@Timeout(120)
class DiagnosticsTests {

    private static final ProbeServerOptions ON =
            ProbeServerOptions.defaults().withAddress("", 0).withDiagnostics(true);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Manager manager = Manager.create(new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:1")
            .build());

    @AfterEach
    void close() {
        manager.close();
    }

    private ProbeServer started(ProbeServerOptions options) throws Exception {
        ProbeServer server = ProbeServer.addTo(manager, options);
        server.start();
        return server;
    }

    private static HttpRequest.Builder request(ProbeServer server, String host, String path) {
        return HttpRequest.newBuilder(URI.create("http://" + host + ":" + server.port() + path));
    }

    private HttpResponse<byte[]> get(ProbeServer server, String path) throws Exception {
        return http.send(request(server, "127.0.0.1", path).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private static void eventually(String what, BooleanSupplier condition) {
        await(what).atMost(Duration.ofSeconds(60)).until(condition::getAsBoolean);
    }

    private static boolean isRecording() {
        return !FlightRecorder.getFlightRecorder().getRecordings().isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/debug/threads", "/debug/recording"})
    void pathsByDefaultDoNotExist(String path) throws Exception {
        ProbeServer server = started(ON.withDiagnostics(false));
        assertThat(get(server, path).statusCode()).isEqualTo(404);
        assertThat(ProbeServerOptions.defaults().diagnostics()).isFalse();
    }

    @Test
    void threadsAreShownWithNamesStatesAndStacks() throws Exception {
        ProbeServer server = started(ON);
        HttpResponse<byte[]> response = get(server, "/debug/threads");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(text(response))
                .contains("\"probe-server", " daemon RUNNABLE\n    at ", Diagnostics.class.getName() + ".threads(");
    }

    @Test
    void recordingLastsAsLongAsItIsAskedToAndCanBeRead(@TempDir Path folder) throws Exception {
        ProbeServer server = started(ON);
        HttpResponse<byte[]> response = get(server, "/debug/recording?seconds=1");
        assertThat(response.statusCode()).isEqualTo(200);
        Path file = Files.write(folder.resolve("recording.jfr"), response.body());
        assertThat(RecordingFile.readAllEvents(file)).isNotEmpty();
        assertThat(isRecording()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "seconds=0",
                "seconds=301",
                "seconds=-1",
                "seconds=1.5",
                "seconds=",
                "second=1",
                "seconds=1&a",
                "a"
            })
    void recordingWhenItsTimeIsInvalidIsRefused(String query) throws Exception {
        ProbeServer server = started(ON);
        HttpResponse<byte[]> response = get(server, "/debug/recording?" + query);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(text(response)).isEqualTo("'seconds' must be a number from 1 to 300\n");
    }

    @Test
    void recordingWhenThereIsOneIsRefusedAndTheServerEndsTheOther() throws Exception {
        ProbeServer server = started(ON);
        CompletableFuture<?> first = http.sendAsync(
                request(server, "127.0.0.1", "/debug/recording?seconds=300").build(),
                HttpResponse.BodyHandlers.discarding());
        eventually("it records", DiagnosticsTests::isRecording);
        assertThat(get(server, "/debug/recording?seconds=1").statusCode()).isEqualTo(409);
        assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);

        server.stop(Duration.ZERO);

        eventually("the client is let go", first::isCompletedExceptionally);
        eventually("nothing records", () -> !isRecording());
        eventually("no thread", () -> LiveThreads.named("probe-server").isEmpty());
    }

    @Test
    void pathsForOtherMethodsAndHostsAreForbidden() throws Exception {
        ProbeServer server = started(ON);
        HttpRequest head = request(server, "127.0.0.1", "/debug/threads")
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(http.send(head, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(403);
        Optional<String> other = otherAddress();
        if (other.isPresent()) { // a machine without a network has none
            HttpResponse<byte[]> response = http.send(
                    request(server, other.get(), "/debug/threads").build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(response.statusCode()).isEqualTo(403);
            assertThat(text(response)).contains("kubectl port-forward");
            assertThat(http.send(
                                    request(server, other.get(), "/healthz").build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    private static Optional<String> otherAddress() throws Exception {
        return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                .flatMap(each -> Collections.list(each.getInetAddresses()).stream())
                .filter(address -> !address.isLoopbackAddress() && address.getAddress().length == 4)
                .map(InetAddress::getHostAddress)
                .findFirst();
    }

    @Test
    void optionsWhenAProbeIsBelowTheirPathAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ON.withPaths("/debug/healthz", "/readyz"))
                .withMessageContaining("/debug/healthz");
        assertThat(ProbeServerOptions.defaults()
                        .withPaths("/debug/healthz", "/readyz")
                        .livenessPath())
                .isEqualTo("/debug/healthz");
    }
}
