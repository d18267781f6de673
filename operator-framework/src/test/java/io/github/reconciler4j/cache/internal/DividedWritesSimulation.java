package io.github.reconciler4j.cache.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.DividedServer.State;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that divide the objects of a kind, an API server, and what is under way between them, one step after the other, as a seed
 * decides. A part has one holder at most. The thread of each reflector runs when it is its turn, and stops before each request, when
 * it waits for data, and within what it writes.
 */
final class DividedWritesSimulation {

    private static final int PARTS = 6;
    private static final List<ObjectKey> KEYS = List.of(
            ObjectKey.of("red", "x"),
            ObjectKey.of("red", "y"),
            ObjectKey.of("green", "x"),
            ObjectKey.of("blue", "x"),
            ObjectKey.of("yellow", "z"));
    private static final int MAX_TRACE = 400;

    private final long seed;
    private final Random random;
    private final ManualTimeSource time = new ManualTimeSource();
    private final DividedServer server;
    private final List<DividedReplica> replicas = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private final Deque<String> trace = new ArrayDeque<>();
    private final boolean faults;
    private final boolean lookupFaults;
    private final String form;
    private int depth;
    private int steps;
    private int lost;
    private int moves;

    /**
     * The answer to a write of a replica that is under way.
     *
     * @param state the object, or its last state; null for a refusal
     */
    private record Answer(
            DividedReplica replica,
            ObjectKey key,
            long version,
            @Nullable State state,
            boolean deleted) {}

    DividedWritesSimulation(long seed) {
        this.seed = seed;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        boolean selects = random.nextBoolean();
        PartitionKey key = List.of(
                        PartitionKey.uid(), PartitionKey.uid(), PartitionKey.namespace(), PartitionKey.owner())
                .get(random.nextInt(4));
        boolean serverNamespaces = random.nextBoolean();
        WatchOptions.ListMode lists =
                WatchOptions.ListMode.values()[1 + random.nextInt(WatchOptions.ListMode.values().length - 1)];
        this.faults = random.nextInt(3) > 0;
        this.lookupFaults = random.nextInt(4) == 0;
        this.server = new DividedServer(selects, () -> 1000 + random.nextInt(1_000_000_000));
        this.form = key.type()
                + (serverNamespaces ? " by server" : "")
                + (selects ? " selected, " : ", ")
                + lists
                + (faults ? ", faults" : "")
                + (lookupFaults ? ", lookup faults" : "");
        Partition equal = Partition.of(PARTS, Set.of());
        Partition none = serverNamespaces
                ? equal.withEvenNamespaces(
                        KEYS.stream().map(ObjectKey::namespace).toList())
                : equal;
        DividedCache.Common common = new DividedCache.Common(server, random, time, key, none, lists, this::meanwhile);
        for (int i = 0; i < 2 + random.nextInt(2); i++) {
            DividedReplica replica = new DividedReplica("r" + i, common, this::trace);
            replica.cache.connection.faults = faults;
            replica.cache.connection.lookupFaults = lookupFaults;
            replicas.add(replica);
        }
    }

    private void trace(String line) {
        if (trace.size() == MAX_TRACE) {
            trace.remove();
        }
        trace.add(line);
    }

    List<String> trace() {
        return List.copyOf(trace);
    }

    boolean hasFaults() {
        return faults;
    }

    long reads() {
        return replicas.stream().mapToLong(DividedReplica::reads).sum();
    }

    int moves() {
        return moves;
    }

    int lostAnswers() {
        return lost;
    }

    void run(int count) {
        try {
            for (int i = 0; i < count; i++) {
                step();
                check();
            }
            settle();
            replicas.forEach(replica -> replica.checkSettled(KEYS));
            forget();
            check();
        } finally {
            replicas.forEach(replica -> replica.cache.stop());
        }
    }

    private void check() {
        List<String> problems = replicas.stream()
                .flatMap(replica -> replica.problems().stream())
                .toList();
        if (!problems.isEmpty()) {
            throw new AssertionError("seed " + seed + " (" + form + "), step " + steps + ": "
                    + String.join("\n", problems) + "\n" + String.join("\n", trace));
        }
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** What happens while a lookup or another thread is under way; this does not nest. */
    private void meanwhile() {
        if (depth > 0 || random.nextInt(3) > 0) {
            return;
        }
        depth++;
        for (int i = random.nextInt(4); i > 0; i--) {
            step();
        }
        depth--;
    }

    private void step() {
        steps++;
        DividedReplica replica = any(replicas);
        switch (random.nextInt(24)) {
            case 0 -> outsider(any(KEYS));
            case 1, 2, 3, 4 -> write(replica, any(KEYS));
            case 5, 6, 7 -> answer();
            case 8, 9, 10, 11 -> advance(replica);
            case 12, 13, 14 -> deliver(replica);
            case 15 -> bookmark(replica);
            case 16 -> fault(replica);
            case 17, 18 -> change(replica);
            case 19 -> moveAll(replica);
            case 20 -> list(replica);
            default -> get(replica, any(KEYS));
        }
    }

    // Writes

    private void outsider(ObjectKey key) {
        State written = server.carryOut(key, random.nextInt(3), random);
        trace("outsider writes " + written);
    }

    /** A reconciler writes objects of parts that are ready, and others that do not exist as far as it knows. */
    private void write(DividedReplica replica, ObjectKey key) {
        State before = server.state(key);
        boolean own = before == null || replica.isReady(replica.cache.part(before));
        if (!own && random.nextInt(8) > 0 || answers.size() > 5) {
            return;
        }
        int action = before == null ? 0 : 1 + random.nextInt(2);
        boolean refused = random.nextInt(6) == 0;
        State state = refused ? null : server.carryOut(key, action, random);
        trace(replica.name + " writes " + key + " at " + server.version() + ": " + state);
        answers.add(new Answer(replica, key, server.version(), state, action == 2));
    }

    /** Let the answer of any write arrive, or lose it. */
    private void answer() {
        if (!answers.isEmpty()) {
            answer(answers.remove(random.nextInt(answers.size())), random.nextInt(4) == 0);
        }
    }

    private void answer(Answer answer, boolean unanswered) {
        DividedCache cache = answer.replica.cache;
        cache.written = true;
        trace((unanswered ? "no answer to " : "answer to ") + answer.replica.name + " " + answer.key + " at "
                + answer.version + " " + answer.state);
        State state = answer.state;
        if (unanswered) {
            lost++;
            cache.responses.unanswered(answer.key);
        } else if (state == null) {
            cache.responses.refused(answer.key);
        } else if (answer.deleted) {
            byte[] json = random.nextBoolean() ? null : state.json().getBytes(UTF_8); // as the kind decides
            cache.responses.deleted(answer.key, Json.uid(state.uid()), json);
        } else {
            cache.responses.written(state.json().getBytes(UTF_8));
        }
        if (!unanswered || !lookupFaults) {
            answer.replica.answered(answer.key, answer.version);
        }
    }

    // Reflectors

    private void advance(DividedReplica replica) {
        if (!replica.cache.isStarted()) {
            trace(replica.name + " starts");
            replica.cache.start();
        }
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            replica.cache.advance();
        }
        boolean late =
                depth == 0 && random.nextInt(5) == 0; // not in a read, which forgets unanswered writes after 5 seconds
        time.advance(Duration.ofMillis(late ? 20_000 : 50));
    }

    private void deliver(DividedReplica replica) {
        DividedConnection.Body watch = replica.cache.connection.watch();
        if (watch != null) {
            watch.deliver(1 + random.nextInt(4));
            advance(replica);
        }
    }

    private void bookmark(DividedReplica replica) {
        DividedConnection.Body watch = replica.cache.connection.watch();
        if (watch != null) {
            trace(replica.name + " bookmark " + watch.bookmark());
            advance(replica);
        }
    }

    private void fault(DividedReplica replica) {
        DividedConnection.Body watch = replica.cache.connection.watch();
        if (!faults) {
            return;
        }
        if (random.nextInt(3) == 0) {
            server.compact(server.version() - random.nextInt(6));
        }
        if (watch != null) {
            switch (random.nextInt(4)) {
                case 0 -> watch.end();
                case 1 -> watch.breakOff();
                case 2 -> watch.fallSilent();
                default -> watch.gone();
            }
            trace(replica.name + " loses its watch");
        }
    }

    // Parts

    private Set<Integer> free() {
        Set<Integer> free = new TreeSet<>(IntStream.range(0, PARTS).boxed().toList());
        replicas.forEach(replica -> free.removeAll(replica.held()));
        return free;
    }

    private void change(DividedReplica replica) {
        Set<Integer> gained = DividedReplica.some(free(), 2, random);
        Set<Integer> given = random.nextBoolean() ? DividedReplica.some(replica.held(), 3, random) : Set.of();
        if (!gained.isEmpty() || !given.isEmpty()) {
            moves++;
            replica.change(given, gained);
        }
    }

    /** A replica gives all parts away, and another one takes them over at once, or this one itself. */
    private void moveAll(DividedReplica replica) {
        Set<Integer> all = new HashSet<>(replica.held());
        if (!all.isEmpty()) {
            moves++;
            replica.change(all, Set.of());
            any(replicas).change(Set.of(), all);
        }
    }

    // Reads

    private void get(DividedReplica replica, ObjectKey key) {
        try {
            replica.get(key);
        } catch (ApiException e) {
            trace(replica.name + " cannot look up " + key);
        }
    }

    private void list(DividedReplica replica) {
        try {
            if (random.nextBoolean()) {
                replica.list(KEYS, random.nextBoolean() ? "" : "red");
            } else {
                replica.find(KEYS, "v" + random.nextInt(3));
            }
        } catch (ApiException e) {
            trace(replica.name + " cannot list");
        }
    }

    // The end

    /** Let everything arrive. */
    private void settle() {
        trace("no more faults");
        depth = 1;
        for (DividedReplica replica : replicas) {
            replica.cache.connection.faults = false;
            replica.cache.connection.lookupFaults = false;
        }
        boolean first = random.nextBoolean();
        if (first) {
            answerAll();
        }
        replicas.forEach(this::settle);
        answerAll();
        server.pass();
        replicas.forEach(this::settle);
        check();
    }

    private void answerAll() {
        List<Answer> left = List.copyOf(answers);
        answers.clear();
        left.forEach(answer -> answer(answer, random.nextInt(4) == 0));
    }

    /** Let a reflector run until it has everything, and a bookmark after it. */
    private void settle(DividedReplica replica) {
        if (!replica.cache.isStarted()) {
            replica.cache.start();
        }
        if (replica.settle()) {
            return;
        }
        throw new AssertionError("seed " + seed + ": " + replica.name + " (" + form + ") does not settle at "
                + replica.cache.turns.place() + ": " + String.join("\n", trace));
    }

    /** What has been read was looked up; then nothing is left of any write, and without parts nothing of any object. */
    private void forget() {
        server.pass();
        replicas.forEach(this::settle);
        replicas.forEach(DividedReplica::checkForgotten);
        check();
        for (DividedReplica replica : replicas) {
            for (ObjectKey key : KEYS) {
                State state = server.state(key);
                if (random.nextBoolean() && state != null) {
                    answers.add(new Answer(replica, key, server.version(), server.carryOut(key, 1, random), false));
                }
            }
            boolean before = random.nextBoolean();
            if (before) {
                answerAll();
            }
            replica.change(new HashSet<>(replica.held()), Set.of());
            settle(replica);
            answerAll();
            replica.checkSettled(KEYS);
            replica.checkForgotten();
        }
    }
}
