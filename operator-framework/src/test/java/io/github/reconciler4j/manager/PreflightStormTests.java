package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ServerNotReadyException;
import io.github.reconciler4j.fixtures.StormServer;
import io.github.reconciler4j.manager.internal.PermissionCheck;
import io.github.reconciler4j.manager.internal.lifecycle.StartRetries;
import io.github.reconciler4j.manager.internal.server.ServerComponent;
import io.github.reconciler4j.manager.permission.MissingPermissionsException;
import io.github.reconciler4j.manager.permission.Preflight;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever an API server answers, the attempts to start ask it few questions, and start soon after it works. In virtual time. */
class PreflightStormTests {

    private static final int CASES = Integer.getInteger("storm.preflight.cases", 300);
    private static final int FIRST = Integer.getInteger("storm.preflight.seed", 0);
    private static final List<LifecycleOptions> OPTIONS = List.of(
            LifecycleOptions.defaults(),
            LifecycleOptions.defaults().withRetryDelays(Duration.ofMillis(100), Duration.ofMillis(500)),
            LifecycleOptions.defaults().withRetryDelays(Duration.ofMillis(1), Duration.ofMillis(1)));

    /** The delay, the wait for the server, the questions, and the requests that are owed. */
    private static final Duration RECOVERY = Duration.ofSeconds(30 + 10 + 30 + 30);

    @Test
    void requestsWhateverTheServerAnswersAreFewAndTheStartSucceedsSoonAfterItRecovers() {
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            Random random = new Random(seed);
            String story = "seed " + seed + " (-Dstorm.preflight.seed=" + seed + " -Dstorm.preflight.cases=1)";
            Server server = new Server(random, Duration.ofSeconds(random.nextInt(300)));
            LifecycleOptions options = OPTIONS.get(random.nextInt(OPTIONS.size()));
            Starts starts = new Starts(
                    server, random.nextInt(40), options.withPreflight(Preflight.values()[random.nextInt(3)]));
            starts.untilHealthy();
            starts.untilStarted(story);
            server.assertFew(1, story);
        }
    }

    @Test
    void preflightWhenNoPermissionIsThereAsksForOneOnlyAtTheNextAttempts() {
        Server server = new Server(new Random(1), Duration.ZERO);
        server.denied = true;
        Starts starts = new Starts(server, 20, OPTIONS.get(0).withPreflight(Preflight.FAIL));
        assertThat(starts.attempt()).isFalse();
        assertThat(server.questions).isEqualTo(20);
        assertThat(starts.attempt()).isFalse();
        assertThat(server.questions).isEqualTo(21);
        server.denied = false;
        assertThat(starts.attempt()).isTrue();
        assertThat(server.questions).isEqualTo(21 + 20);
    }

    @Test
    void preflightWhenItHasReportedAsksNothingAtTheNextAttempts() {
        Server server = new Server(new Random(1), Duration.ZERO);
        server.denied = true;
        Starts starts = new Starts(server, 20, OPTIONS.get(0).withPreflight(Preflight.REPORT));
        assertThat(starts.attempt()).isTrue();
        assertThat(starts.attempt()).isTrue();
        assertThat(server.questions).isEqualTo(20);
    }

    @Test
    void preflightWhenEachAnswerIsSlowEndsInBoundedTime() {
        Server server = new Server(new Random(1), Duration.ZERO);
        server.slow = Duration.ofSeconds(9);
        Starts starts = new Starts(server, 20, OPTIONS.get(0).withPreflight(Preflight.REPORT));
        assertThat(starts.attempt()).isTrue();
        assertThat(Duration.ofNanos(server.clock().nanoTime())).isLessThan(Duration.ofSeconds(50));
        assertThat(server.questions).isEqualTo(4);
    }

    /** Starts a cluster again and again, as its runner does. */
    private static final class Starts {
        private final Server server;
        private final LifecycleOptions lifecycle;
        private final ServerComponent cluster;
        private final PermissionCheck check;
        private int attempts;
        private boolean started;

        Starts(Server server, int permissions, LifecycleOptions lifecycle) {
            this.server = server;
            this.lifecycle = lifecycle;
            ManagerOptions options =
                    ManagerOptions.defaults().withTimeSource(server.clock()).withLifecycle(lifecycle);
            cluster = ServerComponent.own(server, new ServerComponent.Shared(options, () -> {}, "me"));
            List<RequiredPermission> required = IntStream.range(0, permissions)
                    .mapToObj(i -> RequiredPermission.on("example.com", "things" + i, "get"))
                    .toList();
            check = new PermissionCheck(options, List.of(new Part(required)), List.of(), cluster);
        }

        boolean attempt() {
            try {
                cluster.awaitResponse();
                check.preflight(cluster);
                started = true;
                return true;
            } catch (ServerNotReadyException | MissingPermissionsException e) {
                attempts++;
                return false;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void untilHealthy() {
            while (!server.isHealthy() && !attempt()) {
                server.clock().pass(StartRetries.delayAfter(attempts, lifecycle));
            }
        }

        void untilStarted(String story) {
            long start = server.clock().nanoTime();
            while (!started && !attempt()) {
                server.clock().pass(StartRetries.delayAfter(attempts, lifecycle));
                assertThat(server.clock().nanoTime() - start)
                        .as(() -> story + " does not start" + server.tail())
                        .isLessThan(RECOVERY.toNanos());
            }
        }
    }

    private record Part(List<RequiredPermission> requiredPermissions) implements ManagedComponent {
        @Override
        public String name() {
            return "part";
        }

        @Override
        public StartGroup group() {
            return StartGroup.ALL_REPLICAS;
        }

        @Override
        public void start() {}

        @Override
        public void stop(Duration grace) {}
    }

    /** Grants everything when it is healthy. */
    private static final class Server extends StormServer {

        private final int fault;
        private final Set<String> asked = new HashSet<>();
        private boolean isNew;
        private boolean granted;
        private boolean denied;
        private int questions;
        private Duration slow = Duration.ZERO;

        Server(Random random, Duration hostile) {
            super(random, hostile);
            fault = random.nextInt(4);
        }

        @Override
        protected boolean isFree(ApiRequest request) {
            if (request.path().equals("/readyz")) {
                return false;
            }
            questions++;
            isNew = asked.add(new String(request.body(), StandardCharsets.UTF_8));
            boolean free = isNew || granted;
            granted = false;
            return free;
        }

        @Override
        protected String healthy(ApiRequest request) {
            if (request.path().equals("/readyz")) {
                return "ok";
            }
            clock.pass(slow);
            return answer(request, !denied);
        }

        private String answer(ApiRequest request, boolean allowed) {
            try {
                ObjectNode review = (ObjectNode) KubernetesJson.mapper().readTree(request.body());
                review.putObject("status").put("allowed", allowed);
                granted = allowed && !isNew;
                return review.toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        protected String plausible(ApiRequest request) {
            if (request.path().equals("/readyz")) {
                return "ok";
            }
            return switch (fault) {
                case 0 -> answer(request, false);
                case 1 -> answer(request, random.nextBoolean());
                case 2 -> new String(request.body(), StandardCharsets.UTF_8);
                default -> throw refused(random.nextBoolean() ? 429 : 500);
            };
        }
    }
}
