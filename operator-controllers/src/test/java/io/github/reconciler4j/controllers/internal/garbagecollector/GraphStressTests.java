package io.github.reconciler4j.controllers.internal.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.controllers.internal.garbagecollector.Graph.Dependent;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Watches of several kinds change the graph at the same time, and reconcilers read it. {@code -Dgraph.rounds=500} plays more rounds. */
class GraphStressTests {

    private static final int ROUNDS = Integer.getInteger("graph.rounds", 10);
    private static final int KINDS = 4;
    private static final int OBJECTS = 12;
    private static final int LIVES = 4;
    private static final int CHANGES = 1500;
    private static final int READERS = 2;

    @Test
    void graphWhenManyWatchesChangeItHasTheDependentsOfTheLastStates() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        for (int round = 0; round < ROUNDS; round++) {
            play(round, threads);
        }
        threads.shutdown();
    }

    private static void play(long seed, ExecutorService threads) throws Exception {
        Graph graph = new Graph(new AbsentOwners(100));
        CyclicBarrier start = new CyclicBarrier(KINDS + READERS);
        AtomicInteger watching = new AtomicInteger(KINDS);
        UnderLock listener = new UnderLock(graph);
        List<Watch> watches = IntStream.range(0, KINDS)
                .mapToObj(kind -> new Watch(kind, graph, listener, new Random(seed * KINDS + kind)))
                .toList();
        List<Future<?>> all = new ArrayList<>();
        for (Watch watch : watches) {
            all.add(threads.submit(() -> {
                start.await();
                try {
                    watch.play();
                } finally {
                    watching.decrementAndGet();
                }
                return null;
            }));
        }
        for (int reader = 0; reader < READERS; reader++) {
            Random random = new Random(seed - reader);
            all.add(threads.submit(() -> {
                start.await();
                while (watching.get() > 0) {
                    read(graph, random);
                }
                return null;
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        assertThat(listener.calledWithoutLock).as("seed %s", seed).hasValue(0);
        check(seed, graph, watches);
    }

    private static void read(Graph graph, Random random) {
        ObjectId id = id(random.nextInt(KINDS), random.nextInt(OBJECTS), random.nextInt(LIVES));
        graph.view(id).ifPresent(view -> assertThat(view).isNotNull());
        assertThat(graph.dependents(id)).doesNotHaveDuplicates();
        assertThat(graph.blockedOwners(id)).doesNotHaveDuplicates();
    }

    /** An owner that is gone has lost its dependents, which were looked at then. Others have all that name them. */
    private static void check(long seed, Graph graph, List<Watch> watches) {
        Map<ObjectId, ObjectState> present = new HashMap<>();
        Set<ObjectId> gone = ConcurrentHashMap.newKeySet();
        watches.forEach(watch -> {
            present.putAll(watch.present);
            gone.addAll(watch.gone);
        });
        present.keySet()
                .forEach(id -> assertThat(graph.view(id))
                        .as("seed %s: %s", seed, id)
                        .hasValueSatisfying(view -> assertThat(view.virtual()).isFalse()));
        for (int kind = 0; kind < KINDS; kind++) {
            for (int object = 0; object < OBJECTS; object++) {
                for (int life = 0; life < LIVES; life++) {
                    ObjectId owner = id(kind, object, life);
                    Set<ObjectId> found =
                            graph.dependents(owner).stream().map(Dependent::id).collect(Collectors.toSet());
                    Set<ObjectId> expected = present.values().stream()
                            .filter(state -> state.owners().stream()
                                    .anyMatch(reference -> reference.uid().equals(owner.uid())))
                            .map(ObjectState::id)
                            .collect(Collectors.toSet());
                    if (gone.contains(owner)) {
                        assertThat(expected).as("seed %s: %s", seed, owner).containsAll(found);
                    } else {
                        assertThat(found).as("seed %s: %s", seed, owner).isEqualTo(expected);
                    }
                }
            }
        }
    }

    /** Each object has several lives, one after the other, with a uid each. */
    private static ObjectId id(int kind, int object, int life) {
        return new ObjectId("v1", "Kind" + kind, "default", "o" + object, kind + "-" + object + "-" + life);
    }

    /** The watch of one kind, which shows its objects one after the other. */
    private static final class Watch {

        private final int kind;
        private final Graph graph;
        private final GraphListener listener;
        private final Random random;
        private final int[] lives = new int[OBJECTS];
        final Map<ObjectId, ObjectState> present = new HashMap<>();
        final List<ObjectId> gone = new ArrayList<>();

        Watch(int kind, Graph graph, GraphListener listener, Random random) {
            this.kind = kind;
            this.graph = graph;
            this.listener = listener;
            this.random = random;
        }

        void play() {
            for (int change = 0; change < CHANGES; change++) {
                int object = random.nextInt(OBJECTS);
                ObjectId id = id(kind, object, lives[object]);
                ObjectState before = present.get(id);
                // Deletions are rare, so that owners live long enough to be named.
                if (before != null && lives[object] < LIVES - 1 && random.nextInt(40) == 0) {
                    graph.gone(id, listener);
                    present.remove(id);
                    gone.add(id);
                    lives[object]++;
                } else {
                    ObjectState now = state(id);
                    graph.present(before, now, listener);
                    present.put(id, now);
                }
            }
        }

        private ObjectState state(ObjectId id) {
            List<OwnerRef> owners = random.ints(random.nextInt(4), 0, KINDS * OBJECTS * LIVES)
                    .distinct()
                    .mapToObj(i -> id(i % KINDS, i / KINDS % OBJECTS, i / KINDS / OBJECTS))
                    .map(owner -> new OwnerRef("v1", owner.kind(), owner.name(), owner.uid(), false))
                    .toList();
            Set<String> blocked = owners.stream()
                    .map(OwnerRef::uid)
                    .filter(owner -> random.nextBoolean())
                    .collect(Collectors.toSet());
            boolean deleted = random.nextInt(20) == 0;
            return new ObjectState(id, owners, blocked, deleted, deleted ? List.of(ObjectState.FOREGROUND) : List.of());
        }
    }

    private static final class UnderLock implements GraphListener {

        private final Graph graph;
        final AtomicInteger calledWithoutLock = new AtomicInteger();

        UnderLock(Graph graph) {
            this.graph = graph;
        }

        private void check() {
            if (!Thread.holdsLock(graph)) {
                calledWithoutLock.incrementAndGet();
            }
        }

        @Override
        public void collect(ObjectId object) {
            check();
        }

        @Override
        public void collectLater(ObjectId object) {
            check();
        }

        @Override
        public void orphan(ObjectId owner) {
            check();
        }

        @Override
        public void invalidNamespace(ObjectId dependent, OwnerRef owner) {
            check();
        }
    }
}
