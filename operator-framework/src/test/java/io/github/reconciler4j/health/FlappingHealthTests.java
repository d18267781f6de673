package io.github.reconciler4j.health;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.health.HealthCheck.Health;
import io.github.reconciler4j.support.LogLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks that change between healthy, not ready and failing at random: a way to fail has a line a minute, and a storm has few. */
class FlappingHealthTests {

    private static final int CASES = Integer.getInteger("flapping.cases", 300);
    private static final long FIRST = Long.getLong("flapping.seed", 1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** How many lines any storm has in a minute. */
    private static final int MOST = 257;

    private final ManualTimeSource time = new ManualTimeSource();

    /** Fails in one of two ways, or answers. */
    private final class Flapping implements HealthCheck {
        private final String name;
        private final Random random;

        /** When each way to fail was logged last, and how often one was to be logged. */
        private final Map<Integer, Long> logged = new HashMap<>();

        private int expected;

        Flapping(String name, Random random) {
            this.name = name;
            this.random = random;
        }

        @Override
        public String name() {
            return name.isEmpty() ? "any-" + random.nextInt() : name;
        }

        @Override
        public Health check() {
            int way = random.nextInt(4);
            if (way > 1) {
                return new Health(true, way > 2, Map.of());
            }
            long now = time.nanoTime();
            if (!logged.containsKey(way) || now - logged.get(way) >= MINUTE.toNanos()) {
                logged.put(way, now);
                expected++;
            }
            if (way == 0) {
                throw new IllegalStateException("down " + random.nextInt());
            }
            throw new StackOverflowError();
        }
    }

    @Test
    void reportWhenACheckFlapsHasALineAMinuteForEachWayToFail() {
        for (long seed = FIRST; seed < FIRST + CASES; seed++) {
            Random random = new Random(seed);
            Flapping check = new Flapping("flapping", random);
            LogLimiter warnings = new LogLimiter(MINUTE, time);
            try (CapturedLog log = CapturedLog.of(HealthReport.class.getName())) {
                for (int i = random.nextInt(200); i >= 0; i--) {
                    time.advance(Duration.ofMillis(random.nextInt(20_000)));
                    HealthReport.of(List.of(check), warnings);
                }
                assertThat(log.lines(Level.WARN))
                        .as("-Dflapping.seed=%d -Dflapping.cases=1", seed)
                        .hasSize(check.expected);
            }
        }
    }

    @Test
    void reportWhenAThousandChecksFlapAndChangeTheirNamesHasFewLines() {
        Random random = new Random(FIRST);
        List<Flapping> checks = IntStream.range(0, 1000)
                .mapToObj(i -> new Flapping(i % 2 == 0 ? "" : "storm-" + i, random))
                .toList();
        LogLimiter warnings = new LogLimiter(MINUTE, time);
        try (CapturedLog log = CapturedLog.of(HealthReport.class.getName())) {
            for (int minute = 1; minute <= 3; minute++) {
                for (int second = 0; second < 20; second++) {
                    HealthReport.of(new ArrayList<>(checks), warnings);
                }
                assertThat(log.lines(Level.WARN)).hasSizeBetween(minute * (MOST - 1), minute * MOST);
                time.advance(MINUTE);
            }
            assertThat(log.lines(Level.WARN)).anyMatch(line -> line.contains("more since the last message"));
        }
    }
}
