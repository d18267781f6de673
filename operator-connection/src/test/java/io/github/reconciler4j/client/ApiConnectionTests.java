package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.GoneException;
import io.github.reconciler4j.client.error.InternalErrorException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.ServerUnavailableException;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.client.error.UnauthorizedException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent, and what becomes of answers. */
class ApiConnectionTests extends ApiConnectionFixture {

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
    void answersCountsResponsesThatAreNoErrors() {
        Iterator<Integer> codes = List.of(200, 503, 404, 201, 200).iterator();
        try (ScriptedServer server =
                        ScriptedServer.start((request, out) -> out.write(ScriptedServer.json(codes.next(), "{}")));
                ApiConnection connection = open(server.config())) {
            for (long expected : new long[] {1, 1, 1, 2}) {
                catchThrowable(() -> connection.send(GET));
                assertThat(connection.answers()).isEqualTo(expected);
            }
            connection.stream(GET).close();
            assertThat(connection.answers()).isEqualTo(3);
        }
        try (ApiConnection unreachable =
                open(new ConfigBuilder().withMasterUrl("http://127.0.0.1:1").build())) {
            catchThrowable(() -> unreachable.send(GET));
            assertThat(unreachable.answers()).isZero();
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
                .isExactlyInstanceOf(InternalErrorException.class);
        assertThat(failureOf(ScriptedServer.status(503, "ServiceUnavailable", "later", "{}")))
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

    @ParameterizedTest
    @ValueSource(
            strings = {"31536000", "9223372036854775807", "9223372036854775808", "99999999999999999999999999999999"})
    void sendWhenServerAsksToWaitForVeryLongCapsTheTime(String seconds) {
        assertThat(failureOf(ScriptedServer.json(429, "{\"kind\":\"Status\"}", "Retry-After: " + seconds))
                        .retryAfter())
                .contains(Duration.ofMinutes(5));
        assertThat(failureOf(ScriptedServer.status(
                                503, "ServiceUnavailable", "x", "{\"retryAfterSeconds\":" + seconds + "}"))
                        .retryAfter()
                        .orElse(Duration.ZERO))
                .isLessThanOrEqualTo(Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "0", "soon", "Wed, 21 Oct 2026 07:28:00 GMT", "1e3", ""})
    void sendWhenServerAsksToWaitForNoNumberOfSecondsIgnoresIt(String seconds) {
        ApiException failure = failureOf(ScriptedServer.json(429, "{\"kind\":\"Status\"}", "Retry-After: " + seconds));
        assertThat(failure.retryAfter()).isEmpty();
    }

    @Test
    void openWhenNoClusterIsConfiguredSaysSoAtOnce() {
        Config nothing = new ConfigBuilder(Config.empty())
                .withMasterUrl(Config.DEFAULT_MASTER_URL)
                .build();
        assertThatThrownBy(() -> ApiConnection.open(nothing))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("No cluster is configured")
                .hasMessageContaining("KUBECONFIG");
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

    @ParameterizedTest
    @CsvSource({"200, 200", "299, 299", "300, ApiException", "400, ApiException"})
    void sendWhenCodeIsNotOfSuccessThrows(int code, String result) {
        try (ScriptedServer server =
                        ScriptedServer.start((request, out) -> out.write(ScriptedServer.json(code, "{}")));
                ApiConnection connection = open(server.config())) {
            assertThat(result(connection)).isEqualTo(result);
        }
    }

    private static String result(ApiConnection connection) {
        try {
            return Integer.toString(connection.send(GET).code());
        } catch (ApiException e) {
            return e.getClass().getSimpleName();
        }
    }

    @ParameterizedTest
    @CsvSource({"31, 200", "32, ConnectionException"})
    void sendWhenThereAreInterimResponsesSkipsSome(int count, String result) {
        byte[] interim = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(count).getBytes(StandardCharsets.US_ASCII);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write(interim);
                    out.write(ScriptedServer.json(200, "{}"));
                });
                ApiConnection connection = open(server.config())) {
            assertThat(result(connection)).isEqualTo(result);
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
