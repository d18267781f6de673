package io.github.reconciler4j.cache.random;

import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.ActiveFault;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Makes a server misbehave towards the cache in every way it can. For one thread at a time. */
final class RandomFaults {

    /** The user whose requests are disturbed. */
    static final String VICTIM = "cache";

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final RequestMatch READS =
            RequestMatch.verbs("list", "watch").user(VICTIM);

    private final KubernetesServer server;
    private final RandomKind kind;
    private final ApiConnection writing;
    private final Random random;
    private final Deque<ActiveFault> active = new ArrayDeque<>();
    private final List<String> decisions = new ArrayList<>();
    private final boolean mayForget;
    private boolean stopped;
    private boolean uninstalled;
    private volatile boolean forgot;

    /**
     * Makes it.
     *
     * @param writing for the definition of a custom kind, which comes and goes
     * @param mayForget whether the server may lose everything and reset its versions
     */
    RandomFaults(KubernetesServer server, RandomKind kind, ApiConnection writing, Random random, boolean mayForget) {
        this.server = server;
        this.kind = kind;
        this.writing = writing;
        this.mayForget = mayForget;
        this.random = random;
    }

    /** Whether the server lost everything, or is about to, and has reset its versions. */
    boolean hasForgotten() {
        return forgot;
    }

    /** What it has decided, in order. */
    List<String> decisions() {
        return decisions;
    }

    /** Does something nasty. */
    void next() {
        if (stopped) {
            server.resume();
            stopped = false;
            return;
        }
        if (uninstalled) {
            uninstalled = !kind.install(writing);
        }
        if (active.size() > 2) {
            active.removeFirst().close();
        }
        int decision = random.nextInt(21);
        decisions.add("fault " + decision);
        switch (decision) {
            case 0, 1, 2 -> server.endWatches(RequestMatch.watches().user(VICTIM), anyEnd());
            case 3 -> server.cutConnections();
            case 4, 5 -> server.compactHistory();
            case 6, 7, 8, 9, 10 -> disturb(requestFault());
            case 11, 12, 13 -> disturb(eventFault());
            case 14, 15 -> corrupt();
            case 16 -> {
                server.stop();
                stopped = true;
            }
            case 17 -> server.restart();
            case 18 -> {
                server.compactHistory();
                server.endWatches(RequestMatch.watches().user(VICTIM), anyEnd());
            }
            case 19 -> uninstalled |= kind.uninstall(writing);
            default -> forget();
        }
    }

    private void forget() {
        if (mayForget && random.nextInt(2) == 0) {
            forgot = true;
            server.restartEmpty();
            uninstalled = !kind.install(writing);
        }
    }

    private void disturb(Fault fault) {
        FaultRule rule = FaultRule.of(READS, fault).times(1 + random.nextInt(5));
        active.add(server.faults()
                .add(random.nextBoolean() ? rule : rule.withProbability(random.nextDouble(), random.nextLong())));
    }

    private Fault requestFault() {
        Duration time = Duration.ofMillis(random.nextInt(10));
        return switch (random.nextInt(12)) {
            case 0 -> Fault.tooManyRequests(Duration.ZERO);
            case 1 -> Fault.internalError();
            case 2 -> Fault.unavailable();
            case 3 -> Fault.timeout();
            case 4 -> Fault.unauthorized();
            case 5 -> Fault.forbidden();
            case 6 -> Fault.gone();
            case 7 -> Fault.delay(time);
            case 8 -> Fault.stall();
            case 9 -> Fault.cut(Fault.CutPoint.BEFORE);
            case 10 -> Fault.cut(Fault.CutPoint.AFTER);
            default -> Fault.cut(Fault.CutPoint.INSIDE);
        };
    }

    private Fault eventFault() {
        return switch (random.nextInt(4)) {
            case 0 -> Fault.delayEvents(Duration.ofMillis(random.nextInt(10)));
            case 1 -> Fault.duplicateEvents();
            default -> Fault.endWatch(anyEnd());
        };
    }

    private Fault.WatchEnd anyEnd() {
        Fault.WatchEnd[] ends = Fault.WatchEnd.values();
        return ends[random.nextInt(ends.length)];
    }

    private void corrupt() {
        String namespace = RandomPlaces.NAMESPACES.get(random.nextInt(RandomPlaces.NAMESPACES.size()));
        String name = RandomSelection.NAMES.get(random.nextInt(RandomSelection.NAMES.size()));
        try {
            server.corrupt(kind.group, kind.plural, namespace, name, "/" + kind.content, "\"no map\"");
        } catch (IllegalArgumentException e) {
            return; // there is no such object now
        }
    }

    /**
     * End all faults. A watch that resumes on a server that lost everything, and whose versions are higher again, cannot
     * detect what it missed; for the same reason etcd has to mark its history as compacted after a restore.
     */
    void end() {
        server.faults().clear();
        server.resume();
        if (uninstalled) {
            await("the definition can be created again").atMost(TIMEOUT).until(() -> {
                RandomWriter.releaseAll(writing, kind); // what has a finalizer holds up the former one
                return kind.install(writing);
            });
        }
        if (forgot) {
            server.compactHistory();
            server.endWatches(RequestMatch.watches().user(VICTIM), Fault.WatchEnd.EXPIRED);
        }
    }
}
