package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.DividedServer.State;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.FieldTerms.IndexTerm;
import io.github.reconciler4j.cache.internal.watch.SyncFailure;
import io.github.reconciler4j.cache.internal.writes.WritesFixture;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A replica with its cache, and what it may see. Checks each read and each event against the history of the server.
 *
 * <p>The <em>floor</em> of a name is the version of the last answered write of the replica; readers see nothing older. A part is
 * <em>ready</em> from the moment when its objects are stored after the gain. What it contained when it was gained must be seen in that
 * state or a newer one, because the replica that had it before has written until then.
 */
final class DividedReplica {

    private static final int MAX_ROUNDS = 3000;

    final String name;
    final DividedCache cache;

    final DividedServer server;
    final Consumer<String> trace;
    private final List<String> problems = new ArrayList<>();
    private final Map<ObjectKey, Long> floors = new HashMap<>();

    /** By part: the version of the server when it was gained, and the number of that change. */
    private final Map<Integer, GainedParts> held = new TreeMap<>();

    private final Set<Integer> ready = new TreeSet<>();
    private final DividedEvents events = new DividedEvents(this);
    private int changes;
    private long reads;

    /** When a part was gained. */
    record GainedParts(long version, int change) {}

    DividedReplica(String name, DividedCache.Common common, Consumer<String> trace) {
        this.name = name;
        this.server = common.server();
        this.trace = trace;
        this.cache = new DividedCache(common, line -> trace.accept(name + " " + line), events::changed, this::stored);
    }

    Set<Integer> held() {
        return held.keySet();
    }

    /** Return some of the numbers, not one of so many. */
    static Set<Integer> some(Set<Integer> of, int oneOf, Random random) {
        Set<Integer> some = new HashSet<>(of);
        some.removeIf(part -> random.nextInt(oneOf) == 0);
        return some;
    }

    /** Return when a held part was gained; null if it is not held. */
    @Nullable
    GainedParts gain(int part) {
        return held.get(part);
    }

    boolean isReady(int part) {
        return ready.contains(part);
    }

    /** Return the number of checked reads. */
    long reads() {
        return reads;
    }

    List<String> problems() {
        return problems;
    }

    /** Lose some parts and gain others. */
    void change(Set<Integer> lost, Set<Integer> gained) {
        changes++;
        held.keySet().removeAll(lost);
        ready.removeAll(lost);
        gained.forEach(part -> held.put(part, new GainedParts(server.version(), changes)));
        trace.accept(name + " loses " + lost + " and gains " + gained);
        cache.hold(new HashSet<>(held.keySet()));
    }

    /** Record that the outcome of a write that was carried out at a version is known, or that its answer is lost. */
    void answered(ObjectKey key, long version) {
        floors.merge(key, version, Math::max);
    }

    /** After each step that writes. */
    private void stored() {
        if (cache.hasParts()) {
            ready.addAll(held.keySet());
        }
        cache.state
                .failure()
                .map(SyncFailure::message)
                .filter(message ->
                        !message.contains(DividedConnection.FAULT) && !message.contains("without delivering anything"))
                .ifPresent(problems::add);
    }

    // Reads

    void get(ObjectKey key) {
        Expectation expected = new Expectation(key);
        expected.check(cache.view.get(key), "get");
    }

    void list(List<ObjectKey> keys, String namespace) {
        List<Expectation> all = keys.stream()
                .filter(key -> namespace.isEmpty() || key.namespace().equals(namespace))
                .map(Expectation::new)
                .toList();
        Map<ObjectKey, Entry> found = new HashMap<>();
        for (Entry entry : cache.view.list(namespace)) {
            if (found.put(entry.key(), entry) != null) {
                problems.add(name + ": a list has " + entry.key() + " twice");
            }
        }
        all.forEach(expected -> expected.check(found.get(expected.key), "list"));
    }

    /** An index leaves out what has another term, so only what is found is checked. */
    void find(List<ObjectKey> keys, String app) {
        List<Expectation> all = keys.stream().map(Expectation::new).toList();
        Map<ObjectKey, Entry> found = found(app);
        for (Expectation expected : all) {
            Entry entry = found.get(expected.key);
            if (entry != null) {
                expected.check(entry, "find");
            }
        }
    }

    private Map<ObjectKey, Entry> found(String app) {
        Map<ObjectKey, Entry> found = new HashMap<>();
        List<Entry> entries = cache.view.find(List.of(new IndexTerm("app", app)));
        for (Entry entry : entries == null ? List.<Entry>of() : entries) {
            found.put(entry.key(), entry);
            if (!app.equals(entry.labels().get("app"))) {
                problems.add(name + ": the index of " + app + " has " + entry.labels());
            }
        }
        return found;
    }

    /** What one read may return, given what was known before it. */
    private final class Expectation {

        private final ObjectKey key;
        private final int changesBefore = changes;
        private final Map<Integer, GainedParts> readyBefore = new TreeMap<>(held);
        private final boolean complete = cache.hasParts();
        private final long own;
        private final long floor;

        Expectation(ObjectKey key) {
            this.key = key;
            readyBefore.keySet().retainAll(ready);
            own = floors.getOrDefault(key, 0L);
            long lowest = own;
            for (Map.Entry<Integer, GainedParts> part : readyBefore.entrySet()) {
                State gained = server.state(key, part.getValue().version());
                boolean contained = gained != null && cache.part(gained) == part.getKey();
                lowest = contained ? Math.max(lowest, part.getValue().version()) : lowest;
            }
            this.floor = lowest;
        }

        void check(@Nullable Entry entry, String how) {
            reads++;
            String seen = entry == null ? "nothing" : entry.uid().substring(30) + " at " + entry.resourceVersion();
            trace.accept(name + " " + how + " " + key + " -> " + seen);
            boolean allowed = changes != changesBefore || (entry == null ? mayBeNothing() : mayBe(entry));
            if (!allowed) {
                problems.add(name + ": " + how + " " + key + " returned " + seen + " with floor " + floor
                        + "; pending is " + WritesFixture.peek(cache.writes, key));
            }
        }

        private boolean mayBe(Entry entry) {
            State state = server.find(key, entry.uid(), entry.resourceVersion());
            if (state == null) {
                return false;
            }
            int part = cache.part(state);
            GainedParts gain = readyBefore.get(part);
            long lowest = gain == null ? own : Math.max(floor, gain.version());
            boolean selected = gain != null || !complete;
            return selected && server.lastSeen(state) >= lowest;
        }

        /** Return whether there was nothing since the floor, or something that the replica did not watch. */
        private boolean mayBeNothing() {
            return LongStream.rangeClosed(floor, server.version()).anyMatch(at -> {
                State state = server.state(key, at);
                GainedParts gain = state == null ? null : readyBefore.get(cache.part(state));
                return gain == null || at < gain.version();
            });
        }
    }

    // After the history

    /** Let the reflector run until it has everything, and a bookmark after it; false if it does not come to that. */
    boolean settle() {
        for (int i = 0; i < MAX_ROUNDS; i++) {
            DividedConnection.Body watch = cache.connection.watch();
            if (cache.canAdvance()) {
                cache.advance();
            } else if (cache.turns.place() == Turns.Place.ASLEEP) {
                return true;
            } else if (watch != null && !watch.pending().isEmpty()) {
                watch.deliver(100);
            } else if (watch != null && watch.bookmark() == server.version()) {
                while (cache.canAdvance()) {
                    cache.advance();
                }
                if (watch == cache.connection.watch()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Check that readers see what the server has, and that the last events say so. */
    void checkSettled(List<ObjectKey> keys) {
        Map<ObjectKey, String> expected = new TreeMap<>();
        for (ObjectKey key : keys) {
            State state = server.state(key);
            boolean seen = state != null && held.containsKey(cache.part(state));
            if (seen) {
                expected.put(key, Json.uid(state.uid()) + " at " + state.version());
            }
            events.checkLast(key, seen ? state : null);
        }
        compare("store", expected, cache.store.list(""));
        compare("list", expected, cache.view.list(""));
        compare(
                "get",
                expected,
                keys.stream()
                        .map(cache.view::get)
                        .filter(entry -> entry != null)
                        .toList());
        List<Entry> indexed = new ArrayList<>();
        List.of("v0", "v1", "v2").forEach(app -> indexed.addAll(found(app).values()));
        compare("index", expected, indexed);
    }

    private void compare(String what, Map<ObjectKey, String> expected, List<Entry> entries) {
        Map<ObjectKey, String> actual = new TreeMap<>();
        entries.forEach(entry -> actual.put(entry.key(), entry.uid() + " at " + entry.resourceVersion()));
        require(actual.equals(expected), what + " has " + actual + " instead of " + expected);
    }

    /** Check that nothing is left in memory of any write, or of any object that is not held. */
    void checkForgotten() {
        require(cache.writes.size() == 0, cache.writes.size() + " pending writes are left");
        boolean unbounded = !cache.isFixed() && !held.isEmpty(); // deletions of which no version is known
        require(unbounded || WritesFixture.isEmpty(cache.writes), "something is kept of a write");
    }

    void require(boolean condition, String problem) {
        if (!condition) {
            problems.add(name + ": " + problem);
        }
    }
}
