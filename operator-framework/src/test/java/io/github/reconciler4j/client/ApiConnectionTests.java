package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.ConnectionException.Problem;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
@ParameterizedClass
@EnumSource(names = {"JDK", "SOCKETS"})
class ApiConnectionTests {

    @Parameter
    HttpEngine engine;

    private static final String CONFIG_MAP = "/api/v1/namespaces/default/configmaps/foo";
    private static final ApiRequest GET = ApiRequest.of("get", "GET", CONFIG_MAP);

    /** Whether a thread waits, in Java or in the operating system. */
    private static boolean waits(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0 && Set.of("park", "poll", "read0").contains(stack[0].getMethodName());
    }

    private ConnectionOptions options() {
        return ConnectionOptions.defaults().withEngine(engine);
    }

    private ApiConnection open(Config config) {
        return ApiConnection.open(config, options());
    }

    private ApiException failureOf(byte[] answer) {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(answer));
                ApiConnection connection = open(server.config())) {
            return (ApiException) catchThrowable(() -> connection.send(GET));
        }
    }

    @Test
    void sendWhenAnsweredReturnsCodeBodyAndWarnings() {
        byte[] answer = ScriptedServer.json(
                200, "{\"a\":1}", "Warning: 299 - \"old \\\"v1\\\"\", 299 - \"two\"", "Warning: 299 - \"three\"");
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(answer));
                ApiConnection connection =
                        ApiConnection.open(server.config(), options().withUserAgent("shop/1.2"))) {
            ApiResponse response = connection.send(GET.withQuery(Map.of("labelSelector", List.of("a=b,c in (d e)"))));

            assertThat(response.code()).isEqualTo(200);
            assertThat(new String(response.body(), StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}");
            assertThat(response.warnings()).containsExactly("old \"v1\"", "two", "three");
            ScriptedServer.Received request = server.requests().get(0);
            assertThat(request.target()).isEqualTo(CONFIG_MAP + "?labelSelector=a%3Db,c%20in%20%28d%20e%29");
            assertThat(request.headers()).containsEntry("user-agent", "shop/1.2");
        }
    }

    @Test
    void sendWhenBodyGivenSendsItWithItsMediaType() {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(ScriptedServer.json(200, "{}")));
                ApiConnection connection = open(server.config())) {
            connection.send(ApiRequest.of("patch", "PATCH", CONFIG_MAP)
                    .withBody("application/merge-patch+json", "{\"x\":2}".getBytes(StandardCharsets.UTF_8)));

            ScriptedServer.Received request = server.requests().get(0);
            assertThat(request.method()).isEqualTo("PATCH");
            assertThat(request.body()).isEqualTo("{\"x\":2}");
            assertThat(request.headers()).containsEntry("content-type", "application/merge-patch+json");
        }
    }

    @Test
    void sendWhenRefusedThrowsTheTypeOfTheStatus() {
        String named = "{\"name\":\"foo\",\"kind\":\"configmaps\"}";
        assertThat(failureOf(ScriptedServer.status(404, "NotFound", "configmaps not found", named)))
                .isExactlyInstanceOf(NotFoundException.class)
                .hasMessage("get configmaps default/foo: 404 NotFound: configmaps not found");
        assertThat(failureOf(ScriptedServer.status(409, "Conflict", "modified", named)))
                .isExactlyInstanceOf(ConflictException.class);
        assertThat(failureOf(ScriptedServer.status(409, "AlreadyExists", "there", named)))
                .isExactlyInstanceOf(AlreadyExistsException.class);
        assertThat(failureOf(ScriptedServer.status(403, "Forbidden", "no", named)))
                .isExactlyInstanceOf(ForbiddenException.class);
        assertThat(failureOf(ScriptedServer.status(401, "Unauthorized", "who", "{}")))
                .isExactlyInstanceOf(UnauthorizedException.class)
                .hasMessageContaining("check the token");
        assertThat(failureOf(ScriptedServer.status(410, "Expired", "old", "{}")))
                .isExactlyInstanceOf(GoneException.class);
        assertThat(failureOf(ScriptedServer.status(500, "InternalError", "oops", "{}")))
                .isExactlyInstanceOf(ServerUnavailableException.class);
        assertThat(failureOf(ScriptedServer.status(400, "BadRequest", "what", "{}")))
                .isExactlyInstanceOf(ApiException.class);
    }

    @Test
    void sendWhenKindIsNotServedSaysSo() {
        byte[] answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 19\r\n\r\n404 page not found\n".getBytes();
        assertThat(failureOf(answer))
                .isExactlyInstanceOf(KindNotServedException.class)
                .hasMessageContaining("CustomResourceDefinition");
    }

    @Test
    void sendWhenInvalidNamesFieldsAndHidesValues() {
        String causes = "{\"name\":\"foo\",\"kind\":\"C\",\"causes\":[{\"reason\":\"FieldValueInvalid\","
                + "\"message\":\"Invalid value: \\\"hunter2: x\\\": must be longer\",\"field\":\"spec.password\"}]}";
        ApiException failure =
                failureOf(ScriptedServer.status(422, "Invalid", "spec.password: Invalid value hunter2", causes));

        assertThat(failure).isExactlyInstanceOf(InvalidObjectException.class);
        assertThat(failure)
                .hasMessage("get configmaps default/foo: 422 Invalid: spec.password: Invalid value: must be longer");
        assertThat(failure.causes())
                .containsExactly(
                        new ApiException.Cause("spec.password", "FieldValueInvalid", "Invalid value: must be longer"));
    }

    @Test
    void sendWhenServerIsBusySaysWhenToComeBack() {
        ApiException failure = failureOf(ScriptedServer.json(429, "{\"kind\":\"Status\"}", "Retry-After: 7"));
        assertThat(failure).isExactlyInstanceOf(TooManyRequestsException.class);
        assertThat(failure.retryAfter()).contains(Duration.ofSeconds(7));
        assertThat(failureOf(ScriptedServer.status(429, "TooManyRequests", "x", "{\"retryAfterSeconds\":3}"))
                        .retryAfter())
                .contains(Duration.ofSeconds(3));
    }

    @Test
    void sendWhenProxyAnswersItsErrorPageNeverPrintsIt() {
        ApiException failure = failureOf(ScriptedServer.json(502, "<html>secret page</html>"));
        assertThat(failure).isExactlyInstanceOf(ServerUnavailableException.class);
        assertThat(failure.getMessage()).contains("24 bytes").doesNotContain("secret");
    }

    @Test
    void sendWhenRedirectedDoesNotFollow() {
        ApiException failure = failureOf(ScriptedServer.json(302, "{}", "Location: http://127.0.0.1:1/"));
        assertThat(failure.code()).isEqualTo(302);
    }

    @Test
    void sendWhenNobodyListensSaysAddressAndMend() throws IOException {
        try (Socket holder = new Socket()) { // holds a port without listening, so that nobody else gets it
            holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String address = "http://127.0.0.1:" + holder.getLocalPort();
            Config config =
                    new ConfigBuilder(Config.empty()).withMasterUrl(address).build();
            try (ApiConnection connection = open(config)) {
                ConnectionException failure = (ConnectionException) catchThrowable(() -> connection.send(GET));
                assertThat(failure.problem()).isEqualTo(Problem.REFUSED);
                assertThat(failure).hasMessageContaining(address).hasMessageContaining("is the API server running");
            }
        }
    }

    @Test
    void sendWhenHostIsUnknownSaysSo() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://api.server.invalid:6443")
                .build();
        try (ApiConnection connection = open(config)) {
            ConnectionException failure = (ConnectionException) catchThrowable(() -> connection.send(GET));
            assertThat(failure.problem()).isEqualTo(Problem.UNKNOWN_HOST);
        }
    }

    @Test
    void sendWhenOtherSideSpeaksNoTlsSaysSo() {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(new byte[] {1, 2, 3, 4, 5, 6}));
                ApiConnection connection = open(new ConfigBuilder(Config.empty())
                        .withMasterUrl(server.address().replace("http:", "https:"))
                        .build())) {
            Thread.currentThread().setName("tls");
            ConnectionException failure =
                    (ConnectionException) catchThrowable(() -> connection.send(GET.withTimeout(Duration.ofSeconds(5))));
            assertThat(failure.problem()).isIn(Problem.TLS, Problem.TIMEOUT);
        }
    }

    @Test
    void sendWhenNoAnswerComesEndsAfterItsTimeoutAndDropsTheConnection() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    try {
                        while (true) {
                            Thread.sleep(20);
                            // Fails once the client has closed its end.
                            out.write("HTTP/1.1 100 Continue\r\n".getBytes(), 0, 0);
                            out.write(' ');
                        }
                    } finally {
                        ended.countDown();
                    }
                });
                ApiConnection connection = open(server.config())) {
            ConnectionException failure = (ConnectionException)
                    catchThrowable(() -> connection.send(GET.withTimeout(Duration.ofMillis(300))));
            assertThat(failure.problem()).isEqualTo(Problem.TIMEOUT);
            assertThat(failure).hasMessageContaining("within 300 ms");
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void sendWhenBodyStallsEndsAfterItsTimeout() {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc".getBytes());
                    out.flush();
                    Thread.sleep(60_000);
                });
                ApiConnection connection = open(server.config())) {
            ConnectionException failure = (ConnectionException)
                    catchThrowable(() -> connection.send(GET.withTimeout(Duration.ofMillis(300))));
            assertThat(failure.problem()).isEqualTo(Problem.TIMEOUT);
        }
    }

    @Test
    void sendWhenThreadIsInterruptedEndsAndKeepsTheFlag() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    asked.countDown();
                    Thread.sleep(60_000);
                });
                ApiConnection connection = open(server.config())) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicReference<Boolean> flag = new AtomicReference<>();
            Thread caller = new Thread(() -> {
                failure.set(catchThrowable(() -> connection.send(GET)));
                flag.set(Thread.currentThread().isInterrupted());
            });
            caller.start();
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            caller.interrupt();
            caller.join(30_000);
            assertThat(failure.get()).isExactlyInstanceOf(RequestInterruptedException.class);
            assertThat(flag.get()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "POST", "PATCH", "DELETE"})
    void sendWhenConnectionIsCutAnywhereNeverSucceedsWrongly(String method) {
        byte[] whole = ScriptedServer.json(200, "{\"kind\":\"ConfigMap\"}");
        AtomicLong cut = new AtomicLong();
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write(Arrays.copyOf(whole, (int) cut.get()));
                    out.flush();
                    throw new IOException("cut");
                });
                ApiConnection connection = open(server.config())) {
            ApiRequest request = new ApiRequest(
                    "any", method, CONFIG_MAP, Map.of(), ApiRequest.JSON, null, null, Duration.ofSeconds(30), false);
            for (int position = 0; position < whole.length; position++) {
                cut.set(position);
                Throwable failure = catchThrowable(() -> connection.send(request));
                assertThat(failure).as("cut at byte %s", position).isInstanceOf(ConnectionException.class);
                assertThat(((ConnectionException) failure).problem()).isEqualTo(Problem.CUT);
            }
            cut.set(whole.length);
            assertThat(connection.send(request).code()).isEqualTo(200);
        }
    }

    @Test
    void sendWhenServerFailsIsNotRepeated() {
        try (ScriptedServer server = ScriptedServer.start(
                        (request, out) -> out.write(ScriptedServer.status(503, "ServiceUnavailable", "later", "{}")));
                ApiConnection connection = open(server.config())) {
            assertThatThrownBy(() -> connection.send(GET)).isInstanceOf(ServerUnavailableException.class);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void sendWhenTokenHasBeenRenewedTriesOnceMoreWithBody() {
        AtomicReference<String> token = new AtomicReference<>("old");
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
            boolean good = "Bearer new".equals(request.headers().get("authorization"));
            token.set("new");
            out.write(good ? ScriptedServer.json(200, "{}") : ScriptedServer.status(401, "Unauthorized", "x", "{}"));
        })) {
            Config config = server.config();
            config.setOauthTokenProvider(token::get);
            try (ApiConnection connection = open(config)) {
                connection.send(ApiRequest.of("update", "PUT", CONFIG_MAP)
                        .withBody(ApiRequest.JSON, "{\"b\":1}".getBytes(StandardCharsets.UTF_8)));
                assertThat(server.requests()).hasSize(2).allMatch(r -> r.body().equals("{\"b\":1}"));
            }
        }
    }

    @Test
    void closeWhenRequestsAreUnderWayEndsThem() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
            asked.countDown();
            Thread.sleep(60_000);
        })) {
            ApiConnection connection = open(server.config());
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread caller = new Thread(() -> failure.set(catchThrowable(() -> connection.send(GET))));
            caller.start();
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            connection.close();
            caller.join(30_000);
            assertThat(failure.get()).isInstanceOf(ConnectionException.class);
            assertThat(((ConnectionException) failure.get()).problem()).isEqualTo(Problem.CLOSED);
            assertThatThrownBy(() -> connection.send(GET)).isInstanceOf(ConnectionException.class);
        }
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        out.write((Integer.toHexString(text.length()) + "\r\n" + text + "\r\n").getBytes());
        out.flush();
    }

    private static void chunkedHead(OutputStream out) throws IOException {
        out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes());
        out.flush();
    }

    @Test
    void streamWhenBytesArriveReturnsThemAsTheyCome() throws Exception {
        CountDownLatch next = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    chunkedHead(out);
                    chunk(out, "one");
                    next.await();
                    chunk(out, "two");
                    out.write("0\r\n\r\n".getBytes());
                });
                ApiConnection connection = open(server.config());
                ApiStream stream = connection.stream(GET)) {
            assertThat(new String(stream.readNBytes(3))).isEqualTo("one");
            next.countDown();
            assertThat(new String(stream.readAllBytes())).isEqualTo("two");
            assertThat(stream.read()).isEqualTo(-1);
        }
    }

    @Test
    void streamWhenIdleForTooLongThrowsAndCanBeReadOn() throws Exception {
        CountDownLatch next = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    chunkedHead(out);
                    next.await();
                    chunk(out, "x");
                    Thread.sleep(60_000);
                });
                ApiConnection connection = open(server.config());
                ApiStream stream = connection.stream(GET)) {
            stream.idleTimeout(Duration.ofMillis(100));
            assertThatThrownBy(stream::read).isInstanceOf(SocketTimeoutException.class);
            next.countDown();
            stream.idleTimeout(Duration.ofSeconds(30));
            assertThat(stream.read()).isEqualTo('x');
        }
    }

    @Test
    void streamWhenClosedByAnotherThreadEndsTheBlockedRead() throws Exception {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    chunkedHead(out);
                    Thread.sleep(60_000);
                });
                ApiConnection connection = open(server.config())) {
            ApiStream stream = connection.stream(GET);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread reader = new Thread(() -> failure.set(catchThrowable(stream::read)));
            reader.start();
            await("reader to block").until(() -> waits(reader));
            stream.close();
            reader.join(30_000);
            assertThat(failure.get()).isInstanceOf(IOException.class).hasMessageContaining("closed");
        }
    }

    @Test
    void streamWhenReaderIsInterruptedThrowsInterruptedIoException() throws Exception {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    chunkedHead(out);
                    Thread.sleep(60_000);
                });
                ApiConnection connection = open(server.config());
                ApiStream stream = connection.stream(GET)) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread reader = new Thread(() -> failure.set(catchThrowable(stream::read)));
            reader.start();
            await("reader to block").until(() -> waits(reader));
            reader.interrupt();
            reader.join(30_000);
            assertThat(failure.get()).isExactlyInstanceOf(InterruptedIOException.class);
        }
    }

    @Test
    void streamWhenConnectionIsCutThrowsInsteadOfEnding() throws Exception {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    chunkedHead(out);
                    chunk(out, "half");
                    throw new IOException("cut");
                });
                ApiConnection connection = open(server.config());
                ApiStream stream = connection.stream(GET)) {
            assertThat(new String(stream.readNBytes(4))).isEqualTo("half");
            assertThatThrownBy(stream::read).isInstanceOf(IOException.class);
        }
    }

    @Test
    void streamWhenReaderIsSlowHoldsTheServerBack() throws Exception {
        AtomicLong written = new AtomicLong();
        byte[] block = new byte[64 * 1024];
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n".getBytes());
                    while (true) {
                        out.write(block);
                        written.addAndGet(block.length);
                    }
                });
                ApiConnection connection = open(server.config());
                ApiStream stream = connection.stream(GET)) {
            assertThat(stream.read()).isZero();
            AtomicLong before = new AtomicLong(-1);
            await("server to be held back")
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> before.getAndSet(written.get()) == written.get());
            long held = written.get();
            assertThat(held).isLessThan(64L * 1024 * 1024);
            stream.readNBytes((int) held);
            await("server to go on").until(() -> written.get() > held);
        }
    }

    @Test
    void streamWhenRefusedThrowsTheTypedError() {
        try (ScriptedServer server = ScriptedServer.start(
                        (request, out) -> out.write(ScriptedServer.status(410, "Expired", "too old", "{}")));
                ApiConnection connection = open(server.config())) {
            assertThatThrownBy(() -> connection.stream(GET)).isInstanceOf(GoneException.class);
        }
    }

    @Test
    void requestsAreCountedUnderTheNamesOfClientGo() {
        Map<String, Double> counters = new ConcurrentHashMap<>();
        OperatorMetrics metrics = new OperatorMetrics() {
            @Override
            public Counter counter(String name, String help, String... labels) {
                return amount -> counters.merge(name + String.join(",", labels), amount, Double::sum);
            }

            @Override
            public Histogram histogram(String name, String help, double[] buckets, String... labels) {
                return value -> counters.merge(name + String.join(",", labels), 1.0, Double::sum);
            }

            @Override
            public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
                return () -> {};
            }
        };
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(ScriptedServer.json(200, "{}")));
                ApiConnection connection =
                        ApiConnection.open(server.config(), options().withMetrics(metrics))) {
            connection.send(GET);
            String host = server.address().substring("http://".length());
            assertThat(counters)
                    .containsEntry("rest_client_requests_totalcode,200,method,GET,host," + host, 1.0)
                    .containsEntry("rest_client_request_duration_secondsverb,GET,host," + host, 1.0)
                    .containsEntry("rest_client_response_size_bytesverb,GET,host," + host, 1.0);
        }
    }
}
