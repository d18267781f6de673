package io.github.reconciler4j.installer;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Drawn histories of an operator that drops versions, see {@link MigrationHistory}, on a {@link SimulatedDefinition}. More:
 * {@code -Dmigration.cases=20000}, one: {@code -Dmigration.seed=17 -Dmigration.cases=1}.
 */
class StorageMigrationRandomTests {

    private static final int CASES = Integer.getInteger("migration.cases", 300);
    private static final int FIRST = Integer.getInteger("migration.seed", 0);
    private static final String GROUP = "random.example.com";
    private static final int SETTLE = 10;
    private static final int[] REFUSALS = {400, 403, 404, 405, 409, 413, 422, 500};

    /** A server that stores objects in the former version for a part of the time that the operator waits. */
    private static final class SimulatedWorld implements MigrationWorld {

        private final Random random;
        private final SimulatedDefinition server;
        private final Client admin;

        SimulatedWorld(long seed) {
            random = new Random(seed);
            server = new SimulatedDefinition(GROUP, random, Duration.ofMillis(random.nextInt(SETTLE)));
            admin = Client.create(server, Scheme.create(), ClientOptions.defaults());
        }

        @Override
        public Client admin() {
            return admin;
        }

        @Override
        public ApiConnection operator() {
            return server;
        }

        @Override
        public CrdInstaller.Pace pace() {
            return new CrdInstaller.Pace(
                    Duration.ZERO, Duration.ofMillis(SETTLE), Backoff.of(Duration.ofMillis(1), Duration.ofMillis(1)));
        }

        @Override
        public TimeSource time() {
            return server.time();
        }

        @Override
        public void refuse(Set<String> names) {
            server.refuse(names, REFUSALS[random.nextInt(REFUSALS.length)]);
        }

        @Override
        public void allow() {
            server.refuse(Set.of(), 0);
        }

        @Override
        public Map<String, String> stored() {
            return server.stored();
        }

        @Override
        public String violation() {
            return server.violation();
        }
    }

    @Test
    void objectsWhateverHappensStayReadable() {
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            try {
                new MigrationHistory(seed, new SimulatedWorld(seed), GROUP).run();
            } catch (AssertionError e) {
                throw new AssertionError("-Dmigration.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
