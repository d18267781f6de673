package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.client.internal.error.ApiErrors;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Whatever an API server answers, the installation of webhooks sends it few requests, and ends soon after it works again. */
class InstallationStormTests {

    private static final int CASES = Integer.getInteger("storm.installation.cases", 300);
    private static final int FIRST = Integer.getInteger("storm.installation.seed", 0);
    private static final long SECOND = 1_000_000_000L;

    /** The longest delay, and a few requests of which each waits for its turn. */
    private static final Duration INSTALLED_WITHIN = Duration.ofSeconds(60 + 20);

    private final Logger log = (Logger) LoggerFactory.getLogger(InstallationAttempts.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.setAdditive(false);
        log.setLevel(Level.INFO);
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void loud() {
        log.detachAppender(lines);
        log.setAdditive(true);
        log.setLevel(null);
    }

    private static Installation installation() {
        Webhooks webhooks = Webhooks.builder()
                .validator(Widget.class, new WidgetRules())
                .converter(Widget.class, Widget.Beta.class, new Widget.BetaConverter())
                .build();
        return new Installation(
                webhooks,
                WebhookServerOptions.defaults()
                        .withConfigurationName("widgets")
                        .withUrl(URI.create("https://127.0.0.1:1"))
                        .withApply(true));
    }

    @Test
    void requestsWhateverTheServerAnswersAreFewAndAllIsAppliedSoonAfterItRecovers() {
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            lines.list.clear();
            Server server = new Server(new Random(seed));
            String story = "seed " + seed + " (-Dstorm.installation.seed=" + seed + " -Dstorm.installation.cases=1)";
            long end = run(server, story);
            assertThat(Duration.ofNanos(end - Math.max(end == 0 ? 0 : server.healthyAt, server.hostileAt)))
                    .as(story)
                    .isLessThan(INSTALLED_WITHIN);
            server.assertFew(installation().requests(), story);
            assertThat(lines.list.stream().filter(line -> line.getLevel() == Level.WARN))
                    .as(story)
                    .hasSizeLessThanOrEqualTo(2 * (2 + (int) (end / SECOND / 60)));
        }
    }

    /** Makes attempts as the thread does; returns when all was applied. */
    private long run(Server server, String story) {
        InstallationAttempts attempts = new InstallationAttempts(installation(), server);
        Client client = ClientWiring.of(server, Scheme.create()).create(ClientOptions.defaults());
        attempts.attempt(client);
        boolean failed = !attempts.problems().isEmpty();
        for (int i = 1; !attempts.problems().isEmpty(); i++) {
            server.now += InstallationAttempts.DELAYS.delay(i).toNanos();
            attempts.attempt(client);
        }
        assertThat(lines.list.stream()
                        .anyMatch(line -> line.getFormattedMessage().contains("are applied")))
                .as(story + ": says that it is over")
                .isEqualTo(failed);
        return server.now;
    }

    @Test
    void attemptWhenAnObjectWasAppliedDoesNotApplyItAgain() {
        Server server = new Server(new Random(0));
        server.healthyAt = 0;
        server.noDefinition = true;
        InstallationAttempts attempts = new InstallationAttempts(installation(), server);
        Client client = ClientWiring.of(server, Scheme.create()).create(ClientOptions.defaults());
        for (int i = 0; i < 3; i++) {
            attempts.attempt(client);
        }
        assertThat(attempts.problems()).singleElement().asString().contains("does not exist: install it");
        assertThat(server.times).hasSize(2 + 3);
    }

    /** A server in virtual time, of a few habits, that works from a time on. */
    private static final class Server implements ApiConnection, TimeSource {

        private static final int[] STATUS = {400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504};
        private static final String[] BODIES = {"", "{}", "null", "<html>", "[", "{\"metadata\":7}"};
        private static final long[] WAITS = {0, 0, 0, SECOND / 10, SECOND, 10 * SECOND};

        private final Random random;
        private final List<Integer> habits = new ArrayList<>();
        private final List<Long> times = new ArrayList<>();
        private long healthyAt;
        private long hostileAt;
        private boolean noDefinition;
        private long now;
        private long wall;

        Server(Random random) {
            this.random = random;
            healthyAt = random.nextInt(300) * SECOND;
            for (int i = random.nextInt(3); i >= 0; i--) {
                habits.add(random.nextInt(5));
            }
        }

        @Override
        public ApiResponse send(ApiRequest request) {
            times.add(now);
            if (times.size() > 5000) {
                throw new AssertionError("a storm");
            }
            boolean hostile = now < healthyAt;
            now += hostile ? WAITS[random.nextInt(WAITS.length)] : 0;
            wall += random.nextInt(8) == 0 ? (random.nextInt(81) - 40) * 24 * 3600 * SECOND : 0;
            now += hostile && random.nextInt(40) == 0 ? random.nextInt(7200) * SECOND : 0;
            hostileAt = hostile ? now : hostileAt;
            return switch (hostile ? habits.get(random.nextInt(habits.size())) : -1) {
                case 0, 1 -> throw refused(STATUS[random.nextInt(STATUS.length)]);
                case 2 -> throw lost();
                case 3 -> answer(BODIES[random.nextInt(BODIES.length)]);
                default -> good(request);
            };
        }

        private ApiException refused(int code) {
            String after = random.nextInt(4) == 0 ? Integer.toString(random.nextInt(20)) : null;
            String status = "{\"kind\":\"Status\",\"details\":{\"name\":\"" + random.nextInt() + "\"}}";
            return ApiErrors.of("drawn", code, after, status.getBytes(StandardCharsets.UTF_8), KubernetesJson.mapper());
        }

        private ConnectionException lost() {
            ConnectionException.Problem[] all = ConnectionException.Problem.values();
            return new ConnectionException("lost", all[random.nextInt(all.length)], null);
        }

        private ApiResponse good(ApiRequest request) {
            boolean definition = request.path().contains("customresourcedefinitions");
            if (definition && noDefinition) {
                throw refused(404);
            }
            String[] parts = request.path().split("/");
            String kind = definition ? "CustomResourceDefinition" : "ValidatingWebhookConfiguration";
            return answer("{\"apiVersion\":\"" + parts[2] + "/" + parts[3] + "\",\"kind\":\"" + kind
                    + "\",\"metadata\":{\"name\":\"" + parts[parts.length - 1]
                    + "\",\"uid\":\"7\",\"resourceVersion\":\"" + times.size() + "\"}}");
        }

        private static ApiResponse answer(String text) {
            return new ApiResponse(200, text.getBytes(StandardCharsets.UTF_8), List.of());
        }

        /** Ten requests in any ten seconds and one more for each further second, after those of a healthy server. */
        void assertFew(int healthy, String story) {
            for (int from = healthy; from < times.size(); from++) {
                for (int to = from + 10; to < times.size(); to++) {
                    double seconds = (times.get(to) - times.get(from)) / (double) SECOND;
                    assertThat((double) to - from + 1)
                            .as(story + ": requests in " + seconds + " s")
                            .isLessThanOrEqualTo(10 + Math.max(0, seconds - 10));
                }
            }
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(1_800_000_000L).plusNanos(now).plusNanos(wall);
        }

        @Override
        public void sleep(long nanos) {
            now += nanos;
        }

        @Override
        public String server() {
            return "http://storm.invalid";
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            throw lost();
        }

        @Override
        public void close() {}
    }
}
