package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.ServerUnavailableException;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** One thread of a {@link ConsistencyRun}: writes, and compares what it reads with what it has written. */
final class ConsistencyWorker {

    private static final KindName KIND = KindName.of("v1", "ConfigMap");
    private static final int NAMES = 3;
    private static final List<String> COLORS = List.of("red", "green", "blue");
    private static final State ABSENT = new State("", "", false, false);

    private final ConsistencyRun run;
    private final int id;
    private final Random random;
    private final List<String> history = new ArrayList<>();

    /** What each of this thread's objects may be: one state, or more after an answer was lost. */
    private final Map<String, Set<State>> possible = new HashMap<>();

    private final Map<String, Integer> shared = new HashMap<>();
    private int count;

    /** What matters of an object. */
    private record State(String value, String color, boolean held, boolean ending) {
        State hold() {
            return new State(value, color, true, false);
        }

        State release() {
            return new State(value, color, false, false);
        }

        State end() {
            return new State(value, color, true, true);
        }
    }

    /** A write, as far as it matters here. */
    private interface Write {
        void run();
    }

    ConsistencyWorker(ConsistencyRun run, int id, Random random) {
        this.run = run;
        this.id = id;
        this.random = random;
        for (int i = 0; i < NAMES; i++) {
            possible.put("own-" + id + "-" + i, Set.of(ABSENT));
        }
    }

    static ConfigMap map(String namespace, String name, String value, String color) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("color", color)
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    void work(int steps, Runnable disturbance) {
        for (int i = 0; i < steps; i++) {
            if (random.nextInt(20) == 0) {
                disturbance.run();
            }
            try {
                step();
            } catch (ApiException e) {
                throw new AssertionError("thread " + id + " after " + last() + ": " + e.getMessage(), e);
            }
        }
        possible.keySet().forEach(this::settle);
    }

    private List<String> last() {
        return history.subList(Math.max(0, history.size() - 12), history.size());
    }

    private void step() {
        if (random.nextInt(4) == 0) {
            writeShared();
            return;
        }
        String name = "own-" + id + "-" + random.nextInt(NAMES);
        if (possible.get(name).size() > 1) {
            settle(name);
        } else if (possible.get(name).contains(ABSENT)) {
            add(name);
        } else {
            change(name);
        }
    }

    private void add(String name) {
        State next = next();
        ConfigMap map = map(run.namespace, name, next.value, next.color);
        switch (random.nextInt(2)) {
            case 0 -> write("create", name, next, () -> run.client.create(map));
            default -> write("apply", name, next, () -> run.client.apply(map));
        }
    }

    private void change(String name) {
        State next = next();
        ConfigMap map = map(run.namespace, name, next.value, next.color);
        switch (random.nextInt(6)) {
            case 0 -> write("update", name, next, () -> run.client.update(map));
            case 1 -> write("apply", name, next, () -> run.client.apply(map));
            case 2, 3 -> write("patch", name, next, () -> run.client.patch(map, ObjectPatch.merge(patch(next))));
            case 4 ->
                write(
                        "delete",
                        name,
                        ABSENT,
                        () -> assertThat(run.client.delete(map)).isTrue());
            default -> deleteHeld(name, map);
        }
    }

    private static Map<String, Object> patch(State next) {
        return Map.of("metadata", Map.of("labels", Map.of("color", next.color)), "data", Map.of("value", next.value));
    }

    /** A deletion that a finalizer holds up. */
    private void deleteHeld(String name, ConfigMap map) {
        State now = possible.get(name).iterator().next();
        ObjectPatch hold = ObjectPatch.merge(Map.of("metadata", Map.of("finalizers", List.of("test.example/hold"))));
        ObjectPatch release = ObjectPatch.json(ObjectPatch.Operation.remove("/metadata/finalizers"));
        if (write("hold", name, now.hold(), () -> run.client.patch(map, hold))
                && write("end", name, now.end(), () -> run.client.delete(map))) {
            write("release", name, ABSENT, () -> run.client.patch(map, release));
        }
    }

    /** Carries out a write and checks what can be read then; false if it is not known whether it was carried out. */
    private boolean write(String verb, String name, State next, Write write) {
        history.add(verb + " " + name + " " + next.value);
        boolean known = true;
        try {
            run.write(write::run);
            possible.put(name, Set.of(next));
        } catch (ConnectionException | ServerUnavailableException e) {
            history.add("lost " + e.getMessage());
            Set<State> either = new LinkedHashSet<>(possible.get(name));
            either.add(next);
            possible.put(name, either);
            known = false;
        }
        unlessUnavailable(() -> check(name));
        return known;
    }

    /** Makes an end to an object whose state is not known. */
    private void settle(String name) {
        Set<State> released = new LinkedHashSet<>(possible.get(name));
        possible.get(name)
                .forEach(state -> released.add(state.ending || state.equals(ABSENT) ? ABSENT : state.release()));
        possible.put(name, released);
        ConfigMap map = map(run.namespace, name, "", "");
        for (int attempt = 0; attempt < 50; attempt++) {
            try {
                ObjectPatch release = ObjectPatch.merge(Map.of("metadata", Map.of("finalizers", List.of())));
                if (run.client.live().get(ConfigMap.class, run.key(name)).isPresent()) {
                    run.write(() -> run.client.patch(map, release));
                }
            } catch (NotFoundException e) {
                history.add("was gone " + name);
            } catch (ConnectionException | ServerUnavailableException e) {
                history.add("lost " + e.getMessage());
                continue;
            }
            if (write("settle", name, ABSENT, () -> history.add("there was one: " + run.client.delete(map)))) {
                return;
            }
        }
        throw new AssertionError("no request gets through: " + last());
    }

    private State next() {
        return new State(id + "-" + ++count, COLORS.get(random.nextInt(COLORS.size())), false, false);
    }

    /** A read that has to ask the API server fails with it. It must not return what is older instead. */
    private void unlessUnavailable(Runnable check) {
        try {
            check.run();
        } catch (ConnectionException | ServerUnavailableException e) {
            history.add("unread " + e.getMessage());
        }
    }

    private void check(String name) {
        Set<State> allowed = possible.get(name);
        switch (random.nextInt(4)) {
            case 0 -> expect(name, allowed, read(name));
            case 1 -> expectHeader(name, allowed);
            case 2 -> expectList(name, allowed);
            default -> expectIndex(name, allowed);
        }
        // The state may have moved on from one allowed state to the other between two reads, so check this form again.
        expect(name, allowed, read(name));
    }

    private State read(String name) {
        return run.client.get(ConfigMap.class, run.key(name)).map(this::state).orElse(ABSENT);
    }

    private State state(ConfigMap map) {
        return new State(
                map.getData().get("value"),
                map.getMetadata().getLabels().get("color"),
                !map.getMetadata().getFinalizers().isEmpty(),
                map.getMetadata().getDeletionTimestamp() != null);
    }

    private void expect(String name, Set<State> allowed, State seen) {
        assertThat(allowed).as("%s after %s", name, last()).contains(seen);
    }

    private void expectHeader(String name, Set<State> allowed) {
        Optional<ObjectHeader> header = run.client.get(Kind.of(KIND).metadata(), run.key(name));
        assertThat(allowed)
                .as("header of %s after %s", name, last())
                .anyMatch(state -> header.isEmpty()
                        ? state.equals(ABSENT)
                        : state.color.equals(header.get().labels().get("color")));
    }

    /** A label that changes moves the object from one selection to the other. */
    private void expectList(String name, Set<State> allowed) {
        for (String color : COLORS) {
            Selection options = Selection.inNamespace(run.namespace).withLabelSelector("color=" + color);
            List<State> seen = run.client.list(Kind.of(ConfigMap.class), options).stream()
                    .filter(map -> map.getMetadata().getName().equals(name))
                    .map(this::state)
                    .toList();
            assertThat(seen).hasSizeLessThan(2);
            assertThat(allowed)
                    .as("%s in the list of %s (%s) after %s", name, color, seen, last())
                    .anyMatch(state -> seen.isEmpty() ? !state.color.equals(color) : state.equals(seen.get(0)));
        }
    }

    private void expectIndex(String name, Set<State> allowed) {
        for (State state : allowed) {
            List<String> seen = run.informer.byIndex(ConsistencyRun.INDEX, state.value).stream()
                    .map(ObjectSnapshot::key)
                    .filter(key -> key.namespace().equals(run.namespace)) // that of an earlier seed can be there still
                    .map(key -> key.name())
                    .toList();
            if (allowed.size() == 1 && !state.equals(ABSENT)) {
                assertThat(seen).as("index, after %s", last()).containsExactly(name);
            } else {
                assertThat(seen).as("index, after %s", last()).isSubsetOf(name);
            }
        }
    }

    /** Objects that all threads change; each reads what it wrote last, regardless of the others. */
    private void writeShared() {
        String name = "shared-" + random.nextInt(ConsistencyRun.SHARED);
        int value = ++count;
        history.add("share " + name + " " + value);
        boolean known = true;
        try {
            ObjectPatch patch = ObjectPatch.merge(Map.of("data", Map.of("t" + id, "" + value)));
            run.write(() -> run.client.patch(map(run.namespace, name, "", ""), patch));
        } catch (ConnectionException | ServerUnavailableException e) {
            known = false;
        }
        int least = known ? value : shared.getOrDefault(name, 0);
        unlessUnavailable(() -> {
            ConfigMap seen = run.client.get(ConfigMap.class, run.key(name)).orElseThrow();
            int read = Integer.parseInt(seen.getData().getOrDefault("t" + id, "0"));
            assertThat(read).as("%s after %s", name, last()).isBetween(least, value);
            shared.put(name, read);
        });
    }
}
