package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.metrics.KindMetrics;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LogLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Whatever an API server answers, a reflector sends it few requests, and follows it soon after it works again. In virtual time. */
class ReflectorStormTests {

    private static final int RUNS = Integer.getInteger("storm.runs", 300);
    private static final int FIRST = Integer.getInteger("storm.seed", 0);
    private static final KindInfo INFO = Scheme.create().kindOf(ConfigMap.class);
    private static final long SECOND = 1_000_000_000L;

    /** The longest backoff, the longest time that the server asks to wait, and some for the requests and the pace. */
    private static final Duration FOLLOWED_WITHIN = Duration.ofSeconds(30 + 20 + 10);

    private final Scope scope = new Scope(INFO, "", ObjectSelector.everything(), List.of());
    private final StringInterner strings = new StringInterner();
    private final DeflaterPool deflaters = new DeflaterPool();

    private final Logger log = (Logger) LoggerFactory.getLogger(Recovery.class);

    @BeforeEach
    void quiet() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void loud() {
        log.setLevel(null);
    }

    @Test
    void requestsWhateverTheServerAnswersAreFewAndTheServerIsFollowedSoonAfterItRecovers() {
        for (int seed = FIRST; seed < FIRST + RUNS; seed++) {
            run(seed);
        }
    }

    private void run(int seed) {
        Random random = new Random(seed);
        HostileServer.VirtualClock clock = new HostileServer.VirtualClock();
        HostileServer server = new HostileServer(random, clock, Duration.ofSeconds(random.nextInt(300)));
        SyncState state = new SyncState(clock);
        state.started();
        state.planned(List.of(scope));
        WatchOptions options = WatchOptions.defaults().withListMode(modeOf(random));
        Discovery discovery = Discovery.of(server);
        Reflector reflector = new Reflector(
                scope,
                new Reflector.Context(
                        server, discovery, options, strings, clock, new LogLimiter(Duration.ofMinutes(1), clock)),
                new Reflector.Kind(
                        state,
                        new KindMetrics(OperatorMetrics.NONE, INFO),
                        new ListChoice(options.listMode(), discovery, clock),
                        new EntryReader.Factory(
                                INFO, KindCacheOptions.defaults(), strings, new CompactEncoder(deflaters)),
                        () -> PartFilter.ALL),
                new Nothing(),
                () -> false,
                true);
        reflector.waitWith(clock);
        server.end = reflector::stop;
        reflector.start();
        reflector.join();
        String story = "seed " + seed + " (-Dstorm.seed=" + seed + " -Dstorm.runs=1)";
        assertThat(server.followedAt).as(story).isPositive();
        assertThat(Duration.ofNanos(server.followedAt - server.recoveredAt))
                .as(() -> story + tail(server))
                .isLessThan(FOLLOWED_WITHIN);
        assertThat(state.failure()).as(story).isEmpty();
        assertFew(server, story);
    }

    private static WatchOptions.ListMode modeOf(Random random) {
        WatchOptions.ListMode[] all = WatchOptions.ListMode.values();
        return all[random.nextInt(all.length)];
    }

    /** Ten requests in any ten seconds, and one more for each further second. */
    private static void assertFew(HostileServer server, String story) {
        List<Long> times = server.requests;
        for (int from = 0; from < times.size(); from++) {
            for (int to = from + 10; to < times.size(); to++) {
                double seconds = (times.get(to) - times.get(from)) / (double) SECOND;
                double allowed = 10 + Math.max(0, seconds - 10);
                if (to - from + 1 > allowed + 1e-6) {
                    throw new AssertionError(
                            story + ": " + (to - from + 1) + " requests in " + seconds + " s" + tail(server));
                }
            }
        }
    }

    private static String tail(HostileServer server) {
        List<String> history = server.history;
        return "\n" + String.join("\n", history.subList(Math.max(0, history.size() - 120), history.size()));
    }

    /** A store that takes everything. */
    private final class Nothing implements ReflectorStore {

        @Override
        public Missing select(PartFilter filter) {
            return Missing.ALL;
        }

        @Override
        public void selectedNothing() {}

        @Override
        public ListSnapshot newList(Missing missing, boolean bodies) {
            return new ListSnapshot(new ObjectStore(), scope, PartFilter.ALL, bodies, missing == Missing.ALL);
        }

        @Override
        public void replace(ListSnapshot list, String version) {}

        @Override
        public boolean add(ListSnapshot list, String version) {
            return true;
        }

        @Override
        public void event(WatchReader.Type type, MutableHeader header, EntryReader object) {}

        @Override
        public void bookmark(String version) {}
    }
}
