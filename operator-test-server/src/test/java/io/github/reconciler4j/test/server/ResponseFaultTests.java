package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.ActiveFault;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong and late answers, and users whose time is over. */
class ResponseFaultTests {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";
    private static final Map<String, Fault> FAULTS = Map.of(
            "unauthorized", Fault.unauthorized(),
            "forbidden", Fault.forbidden(),
            "gone", Fault.gone(),
            "internal", Fault.internalError(),
            "unavailable", Fault.unavailable(),
            "timeout", Fault.timeout());

    private final SettableClock clock = new SettableClock();
    private final KubernetesServer server =
            KubernetesServer.builder().https(false).clock(clock).start();
    private final HttpUser user = new HttpUser(server.url());

    @AfterEach
    void stopServer() {
        server.close();
    }

    private static String named(String name) {
        return "{\"metadata\":{\"name\":\"" + name + "\"}}";
    }

    @ParameterizedTest
    @CsvSource({
        "unauthorized, 401, Unauthorized",
        "forbidden, 403, Forbidden",
        "gone, 410, Expired",
        "internal, 500, InternalError",
        "unavailable, 503, ServiceUnavailable",
        "timeout, 504, Timeout"
    })
    void answerWhenAFaultIsActiveIsItsStatus(String fault, int code, String reason) throws IOException {
        server.faults().add(FaultRule.of(RequestMatch.any(), FAULTS.get(fault)).once());

        HttpUser.Reply reply = user.get(MAPS);

        assertThat(reply.status()).isEqualTo(code);
        assertThat(reply.body().path("kind").asText()).isEqualTo("Status");
        assertThat(reply.body().path("code").asInt()).isEqualTo(code);
        assertThat(reply.body().path("reason").asText()).isEqualTo(reason);
        assertThat(user.get(MAPS).status()).isEqualTo(200);
    }

    @Test
    void writesWhenOneKindIsRefusedReachTheOthers() throws IOException {
        try (ActiveFault refusal =
                server.faults().add(FaultRule.of(RequestMatch.writes().kind("ConfigMap"), Fault.forbidden()))) {
            assertThat(user.post(MAPS, named("one")).status()).isEqualTo(403);
            assertThat(user.post(SECRETS, named("one")).status()).isEqualTo(201);
            assertThat(user.get(MAPS).status()).isEqualTo(200);
            assertThat(refusal.injected()).isEqualTo(1);
        }
        assertThat(user.post(MAPS, named("one")).status()).isEqualTo(201);
    }

    @Test
    void faultWhenForOneNameSparesTheOthers() throws IOException {
        user.post(MAPS, named("one"));
        user.post(MAPS, named("two"));
        server.faults().add(FaultRule.of(RequestMatch.any().name("one"), Fault.unavailable()));

        assertThat(user.get(MAPS + "/one").status()).isEqualTo(503);
        assertThat(user.get(MAPS + "/two").status()).isEqualTo(200);
    }

    @Test
    void answerWhenDelayedComesLaterAndIsTheSame() throws IOException {
        server.faults().add(FaultRule.of(RequestMatch.any(), Fault.delay(Duration.ofMillis(200))));
        long start = System.nanoTime();

        assertThat(user.get(MAPS).status()).isEqualTo(200);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void tokenWhenItsTimeIsOverByTheClockIsRefused() throws IOException {
        String token = server.addUser(Duration.ofMinutes(10), "bob");
        assertThat(statusWith(token)).isEqualTo(200);

        clock.now = clock.now.plus(Duration.ofMinutes(11));

        assertThat(statusWith(token)).isEqualTo(401);
        assertThat(statusWith(server.addUser(Duration.ofMinutes(10), "bob"))).isEqualTo(200);
    }

    private int statusWith(String token) throws IOException {
        return user.send("GET", MAPS, null, "Authorization", "Bearer " + token).status();
    }

    @Test
    void objectsWhenCreatedCarryTheTimeOfTheClock() throws IOException {
        HttpUser.Reply created = user.post(MAPS, named("one"));

        assertThat(created.body().at("/metadata/creationTimestamp").asText()).isEqualTo("2030-01-01T00:00:00Z");
    }

    private static final class SettableClock extends Clock {
        private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }
}
