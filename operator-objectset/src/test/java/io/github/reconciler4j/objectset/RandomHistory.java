package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.objectset.LateReader.Header;
import io.github.reconciler4j.objectset.LateReader.Place;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A random history of one owner and its set: the process ends before or after any of its writes and starts again with a late cache,
 * deletions are refused, objects of others appear under the same names, and users delete objects.
 */
final class RandomHistory implements ClientInterceptor {

    /** The first seed, {@code -Dobjectset.seed}. */
    private static final long SEED = Long.getLong("objectset.seed", 0);

    private static final int ROUNDS = 5;
    private static final int LONGEST = 400;

    /** The API server of a history. */
    interface Ground {

        ApiConnection connection();

        /** Return what the server has, as far as a history needs it. */
        Map<Place, String> truth();

        Counts counts();

        /** Return a client whose writes a history is notified of, if the server does not do that. */
        Client watched(Client client, RandomHistory history);
    }

    /** How often each fault happened. */
    record Counts(AtomicInteger writes, AtomicInteger crashes, AtomicInteger lateStarts, AtomicInteger refusals) {

        static Counts none() {
            return new Counts(new AtomicInteger(), new AtomicInteger(), new AtomicInteger(), new AtomicInteger());
        }
    }

    /** The process ends. */
    private static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash", null, false, false);
        }
    }

    private final Random random;
    private final String namespace;
    private final String otherNamespace;
    private final RandomGraph graph;
    private final LateReader cache = new LateReader();
    private final List<String> log = new ArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final Set<String> foreign = ConcurrentHashMap.newKeySet();
    private final Set<Place> deleted = ConcurrentHashMap.newKeySet();
    private final Set<Place> applied = ConcurrentHashMap.newKeySet();
    private final Set<Place> refused = new HashSet<>();
    private final Ground ground;
    private final Map<Place, String> truth;
    private final Counts counts;
    private final boolean crashesAtEachWrite;
    private final Client user;
    private Map<Place, String> past = Map.of();
    private String ownerUid = "";
    private volatile boolean operating;
    private volatile boolean deleting;
    private volatile int writes;
    private int crashAt = Integer.MAX_VALUE;
    private boolean crashBefore;
    private ObjectSets sets;

    /** Run histories, and print how often each fault happened. */
    static void runAll(int histories, Ground ground) {
        for (long seed = SEED; seed < SEED + histories; seed++) {
            run(seed, ground);
        }
        System.err.println(histories + " histories of object sets: " + ground.counts());
    }

    /** Run a history; a failure has the steps before it. */
    private static void run(long seed, Ground ground) {
        RandomHistory history = new RandomHistory(seed, ground);
        try {
            history.run();
        } catch (Throwable e) {
            throw new AssertionError(
                    "-Dobjectset.seed=" + seed + " -Dobjectset.cases=1: " + e.getMessage() + "\n"
                            + String.join("\n", history.log),
                    e);
        }
    }

    private RandomHistory(long seed, Ground ground) {
        this.ground = ground;
        counts = ground.counts();
        truth = ground.truth();
        random = new Random(seed);
        namespace = "set-" + Long.toString(seed, 36);
        otherNamespace = "other-" + Long.toString(seed, 36);
        graph = new RandomGraph(random, namespace, otherNamespace);
        user = ground.watched(
                Client.create(
                        ground.connection(),
                        Scheme.create(),
                        ClientOptions.defaults().withFieldManager("user")),
                this);
        crashesAtEachWrite = random.nextInt(5) == 0;
    }

    /** Start the process; its first list can be older than what the former process wrote. */
    void restart() {
        if (!past.isEmpty() && random.nextBoolean()) {
            cache.catchUp(past);
            counts.lateStarts().incrementAndGet();
            log.add("starts with a late cache");
        }
        Client client = Client.create(ground.connection(), Scheme.create(), cache, ClientOptions.defaults());
        sets = ObjectSets.create(ground.watched(client, this).intercepted(this));
    }

    @Override
    public ApiResponse intercept(ClientCall call, Next next) {
        if (!call.verb().isWrite()) {
            return next.proceed(call);
        }
        counts.writes().incrementAndGet();
        boolean last = ++writes >= crashAt;
        if (last && crashBefore) {
            counts.crashes().incrementAndGet();
            throw new Crash();
        }
        Place place = new Place(call.kind().kind().kind(), call.key().orElseThrow());
        if (call.verb() == ClientCall.Verb.DELETE && refused.contains(place)) {
            counts.refusals().incrementAndGet();
            throw new IllegalStateException("a policy refuses this");
        }
        ApiResponse response = next.proceed(call);
        if (last) {
            counts.crashes().incrementAndGet();
            throw new Crash();
        }
        return response;
    }

    /** Called for each write, while this thread waits for its answer. */
    void changed(Place place, String before, String after) {
        Header header = LateReader.header(after == null ? before : after);
        if (!operating) {
            if (before == null) {
                foreign.add(header.uid());
            }
            return;
        }
        cache.show(place, after);
        if (header.uid().equals(ownerUid)) {
            return;
        }
        if (foreign.contains(header.uid())) {
            violations.add("foreign " + place + " is written or deleted");
        }
        boolean marked = after != null && header.isBeingDeleted();
        boolean markedBefore = before != null && LateReader.header(before).isBeingDeleted();
        if ((after == null || marked) && !markedBefore) {
            deletedNow(place);
        } else if (after != null) {
            applied.add(place);
        }
    }

    private void deletedNow(Place place) {
        deleted.add(place);
        if (deleting) {
            graph.before(place).stream()
                    .filter(this::isOurs)
                    .forEach(later -> violations.add("deleted " + place + " before " + later));
        } else if (graph.desired().containsKey(place)) {
            violations.add("deleted " + place + ", which is wanted");
        }
    }

    private boolean isOurs(Place place) {
        String json = truth.get(place);
        return json != null && !foreign.contains(LateReader.header(json).uid());
    }

    private void run() {
        user.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
        user.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(otherNamespace)
                .endMetadata()
                .build());
        HasMetadata owner = RandomGraph.empty(ownerPlace());
        owner.getMetadata().setFinalizers(List.of("example.com/finalizer"));
        ownerUid = user.create(owner).getMetadata().getUid();
        cache.catchUp(own());
        restart();
        past = own();
        for (int round = 0; round < ROUNDS; round++) {
            graph.change();
            disturb();
            if (random.nextInt(4) == 0) {
                upgrade();
            }
            reconcile();
        }
        converge();
        finish();
    }

    /** The next version starts, and the cache of this process can be late. */
    private void upgrade() {
        log.add("another version, without " + graph.giveUpKind());
        restart();
    }

    private Place ownerPlace() {
        return new Place("ConfigMap", ObjectKey.of(namespace, "owner"));
    }

    /** Return the truth about this history. */
    private Map<Place, String> own() {
        Map<Place, String> own = new TreeMap<>();
        truth.forEach((place, json) -> {
            String in = place.key().namespace();
            if (in.equals(namespace)
                    || in.equals(otherNamespace)
                    || place.key().name().endsWith("-" + namespace)) {
                own.put(place, json);
            }
        });
        return own;
    }

    /** Others do something, and the cache sees it or not. */
    private void disturb() {
        List<Place> places = graph.places();
        for (int i = random.nextInt(3); i > 0 && !places.isEmpty(); i--) {
            Place place = places.get(random.nextInt(places.size()));
            if (truth.containsKey(place) && random.nextBoolean()) {
                log.add("user deletes " + place);
                user.delete(RandomGraph.empty(place));
            }
            if (!truth.containsKey(place) && random.nextInt(3) == 0) {
                log.add("user creates " + place);
                user.create(RandomGraph.empty(place));
            }
        }
        letGo(false);
        past = random.nextInt(3) == 0 ? own() : past;
        refused.clear();
        places.stream().filter(place -> random.nextInt(6) == 0).forEach(refused::add);
        if (random.nextInt(2) == 0) {
            log.add("cache catches up");
            cache.catchUp(own());
        }
        crash(random.nextInt(2) != 0, 8);
    }

    /** Let the process end at one of the next writes, or never. */
    private void crash(boolean crashes, int within) {
        crashAt = crashesAtEachWrite ? writes + 1 : crashes ? writes + 1 + random.nextInt(within) : Integer.MAX_VALUE;
        crashBefore = !crashesAtEachWrite && random.nextBoolean();
    }

    /** Remove the finalizers that keep objects from going. */
    private void letGo(boolean all) {
        own().forEach((place, json) -> {
            Header header = LateReader.header(json);
            if (header.isBeingDeleted()
                    && header.finalizers().contains(RandomGraph.SLOW)
                    && (all || random.nextBoolean())) {
                HasMetadata object = user.live()
                        .get(RandomGraph.kind(place.kind()), place.key())
                        .orElseThrow();
                object.getMetadata().setFinalizers(List.of());
                user.update(object);
            }
        });
    }

    private ConfigMap owner() {
        return cache.get(Kind.of(ConfigMap.class), ownerPlace().key()).orElseThrow();
    }

    /** Reconcile as a controller does; return the result, null after a crash. */
    private ObjectSetResult reconcile() {
        deleted.clear();
        applied.clear();
        operating = true;
        ObjectSetResult result = null;
        try {
            result = sets.reconcile(graph.set(owner()));
        } catch (Crash e) {
            restart();
        } finally {
            operating = false;
        }
        log.add("reconciled: " + (result == null ? "crash" : result.objects()));
        if (result != null) {
            Set<Place> done = new HashSet<>();
            result.objects(State.DONE)
                    .forEach(each -> done.add(new Place(each.kind().kind(), each.key())));
            for (Place place : graph.blocked(done::contains)) {
                if (deleted.contains(place) || applied.contains(place)) {
                    violations.add("touched " + place + ", whose step has not had its turn");
                }
            }
        }
        check();
        return result;
    }

    private void check() {
        assertThat(violations).isEmpty();
    }

    /** Without further faults, there is exactly what the set wants. */
    private void converge() {
        refused.clear();
        graph.notReady.clear();
        own().forEach((place, json) -> {
            if (!place.equals(ownerPlace())
                    && foreign.contains(LateReader.header(json).uid())) {
                user.delete(RandomGraph.empty(place));
            }
        });
        int before = -1;
        for (int i = 0; before != writes; i++) {
            assertThat(i).as("reconciliations until nothing is written").isLessThan(crashesAtEachWrite ? LONGEST : 30);
            before = writes;
            crash(false, 1);
            letGo(true);
            cache.catchUp(own());
            reconcile();
        }
        Map<Place, String> versions = new TreeMap<>();
        own().forEach((place, json) -> {
            if (!place.equals(ownerPlace())) {
                versions.put(place, LateReader.header(json).labels().getOrDefault("version", "none"));
            }
        });
        assertThat(versions).isEqualTo(graph.desired());
    }

    /** The owner is deleted. */
    private void finish() {
        user.delete(RandomGraph.empty(ownerPlace()));
        cache.catchUp(own());
        boolean done = false;
        for (int i = 0; !done; i++) {
            assertThat(i).as("calls of the cleaner").isLessThan(LONGEST);
            disturbDeletion(i);
            done = delete();
            check();
        }
        assertThat(own().keySet().stream()
                        .filter(place -> !place.equals(ownerPlace()))
                        .filter(this::isOurs))
                .isEmpty();
        own().forEach((place, json) -> {
            HasMetadata left =
                    user.live().get(RandomGraph.kind(place.kind()), place.key()).orElseThrow();
            left.getMetadata().setFinalizers(List.of());
            user.delete(user.update(left));
        });
    }

    private void disturbDeletion(int call) {
        letGo(false);
        refused.clear();
        if (call < 10) {
            graph.places().stream().filter(place -> random.nextInt(8) == 0).forEach(refused::add);
        }
        if (random.nextInt(2) == 0) {
            cache.catchUp(own());
        }
        crash(random.nextInt(3) == 0, 4);
    }

    private boolean delete() {
        operating = true;
        deleting = true;
        try {
            ObjectSetResult result = sets.delete(graph.set(owner()));
            log.add("deleted: " + result.objects());
            return result.objects(State.FAILED).isEmpty()
                    && result.toCleanupResult().isDone();
        } catch (Crash e) {
            log.add("deleted: crash");
            restart();
            return false;
        } finally {
            operating = false;
            deleting = false;
        }
    }
}
