package io.github.reconciler4j.workqueue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a queue should do, written for reading and not for speed: one list, searched from end to end. For one thread;
 * time is moved by hand.
 */
final class ModelQueue<K> {

    private final long overdueAfter;
    private final int oneOf;
    private final Function<K, Object> groupOf;
    private final int mostRunning;
    private final double share;

    /** Every key known: waiting or running. */
    private final List<Known<K>> known = new ArrayList<>();

    private final Map<Integer, Long> occupiedSince = new HashMap<>();
    private final Map<Integer, Long> laneServedAt = new HashMap<>();
    private final Map<Object, Long> groupServedAt = new HashMap<>();
    private final Map<List<Object>, Long> groupArrivedAt = new HashMap<>();
    private long now;
    private long sequence;
    private long handOuts;
    private long lastAged;
    private boolean closed;
    private int workers;

    ModelQueue(PriorityAging aging, Fairness<K> fairness) {
        this.overdueAfter = aging.after().toNanos();
        this.oneOf = aging.every();
        this.groupOf = key -> fairness == null ? "all" : fairness.group().apply(key);
        this.mostRunning = fairness == null ? Integer.MAX_VALUE : fairness.maxRunning();
        this.share = fairness == null ? 1 : fairness.share();
    }

    private enum Phase {
        NOT_WAITING,
        READY,
        DELAYED
    }

    private static final class Known<K> {
        final K key;
        boolean running;
        Phase phase = Phase.NOT_WAITING;
        int priority;
        long due;
        long order;

        Known(K key) {
            this.key = key;
        }
    }

    void advance(long nanos) {
        now += nanos;
    }

    void add(K key, int priority, long delay) {
        if (closed) {
            return;
        }
        promote();
        Known<K> item = find(key);
        if (item == null) {
            item = new Known<>(key);
            known.add(item);
        }
        boolean raised = item.phase != Phase.NOT_WAITING && priority > item.priority;
        int newPriority = item.phase == Phase.NOT_WAITING ? priority : Math.max(priority, item.priority);
        if (item.phase == Phase.READY) {
            if (raised) {
                item.phase = Phase.NOT_WAITING;
                settle();
                item.priority = newPriority;
                becomeReady(item);
            }
        } else if (delay <= 0) {
            item.priority = newPriority;
            becomeReady(item);
        } else {
            boolean sooner = item.phase == Phase.NOT_WAITING || now + delay < item.due;
            item.priority = newPriority;
            item.phase = Phase.DELAYED;
            if (sooner) {
                item.due = now + delay;
                item.order = sequence++;
            }
        }
    }

    /** Dequeue a key with its priority; null if none is ready. */
    Map.Entry<K, Integer> poll() {
        promote();
        List<Integer> eligible = ready().filter(this::mayRun)
                .map(item -> item.priority)
                .distinct()
                .sorted(Comparator.reverseOrder())
                .toList();
        if (eligible.isEmpty()) {
            return null;
        }
        handOuts++;
        int lane = chooseLane(eligible);
        laneServedAt.put(lane, handOuts);
        Known<K> item = ready().filter(it -> it.priority == lane && mayRun(it))
                .min(Comparator.<Known<K>>comparingLong(it -> running(group(it)))
                        .thenComparing(it -> groupServedAt.getOrDefault(group(it), 0L))
                        .thenComparing(it -> groupArrivedAt.get(List.of(lane, group(it))))
                        .thenComparing(it -> it.order))
                .orElseThrow();
        item.phase = Phase.NOT_WAITING;
        item.running = true;
        item.due = now;
        groupServedAt.put(group(item), handOuts);
        settle();
        return Map.entry(item.key, item.priority);
    }

    void done(K key) {
        Known<K> item = find(key);
        if (item == null || !item.running) {
            return;
        }
        item.running = false;
        if (item.phase == Phase.READY) {
            becomeReady(item);
        } else if (item.phase == Phase.NOT_WAITING) {
            known.remove(item);
        }
        settle();
    }

    boolean cancel(K key) {
        promote();
        Known<K> item = find(key);
        if (item == null || item.phase != Phase.DELAYED) {
            return false;
        }
        item.phase = Phase.NOT_WAITING;
        if (!item.running) {
            known.remove(item);
        }
        settle();
        return true;
    }

    void setWorkers(int newWorkers) {
        workers = newWorkers;
    }

    int size() {
        promote();
        return (int) known.stream().filter(item -> item.phase == Phase.READY).count();
    }

    int delayed() {
        promote();
        return (int) known.stream().filter(item -> item.phase == Phase.DELAYED).count();
    }

    int running() {
        return (int) known.stream().filter(item -> item.running).count();
    }

    void shutDown() {
        closed = true;
        known.removeIf(item -> !item.running);
        known.forEach(item -> item.phase = Phase.NOT_WAITING);
        settle();
    }

    private int chooseLane(List<Integer> eligible) {
        int top = eligible.get(0);
        if (oneOf == 0 || handOuts - lastAged < oneOf) {
            return top;
        }
        Integer aged = eligible.stream()
                .skip(1)
                .filter(priority -> now - occupiedSince.get(priority) >= overdueAfter)
                .min(Comparator.<Integer>comparingLong(priority -> laneServedAt.getOrDefault(priority, 0L))
                        .thenComparing(Comparator.reverseOrder()))
                .orElse(null);
        if (aged == null) {
            return top;
        }
        lastAged = handOuts;
        return aged;
    }

    private void promote() {
        known.stream()
                .filter(item -> item.phase == Phase.DELAYED && item.due <= now)
                .sorted(Comparator.<Known<K>>comparingLong(item -> item.due).thenComparing(item -> item.order))
                .toList()
                .forEach(this::becomeReady);
    }

    private void becomeReady(Known<K> item) {
        item.phase = Phase.READY;
        item.order = sequence++;
        if (!item.running) {
            occupiedSince.putIfAbsent(item.priority, now);
            groupArrivedAt.putIfAbsent(List.of(item.priority, group(item)), sequence);
        }
    }

    /** Forgets what is kept per lane and per group for those that have become empty. */
    private void settle() {
        occupiedSince.keySet().removeIf(lane -> ready().noneMatch(item -> item.priority == lane));
        groupArrivedAt
                .keySet()
                .removeIf(laneAndGroup -> ready().noneMatch(item ->
                        List.<Object>of(item.priority, group(item)).equals(laneAndGroup)));
        groupServedAt
                .keySet()
                .removeIf(group -> known.stream().noneMatch(item -> group(item).equals(group)));
    }

    private Stream<Known<K>> ready() {
        return known.stream().filter(item -> item.phase == Phase.READY && !item.running);
    }

    private boolean mayRun(Known<K> item) {
        return running(group(item)) < mostRunning
                && (workers == 0 || share == 1 || running(group(item)) < Math.max(1, Math.ceil(share * workers)));
    }

    private long running(Object group) {
        return known.stream()
                .filter(item -> item.running && group(item).equals(group))
                .count();
    }

    private Object group(Known<K> item) {
        return groupOf.apply(item.key);
    }

    private Known<K> find(K key) {
        return known.stream()
                .filter(item -> Objects.equals(item.key, key))
                .findFirst()
                .orElse(null);
    }
}
