package io.github.reconciler4j.cache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.storage.UndecodableObjects;
import io.github.reconciler4j.cache.internal.watch.HeldParts;
import io.github.reconciler4j.cache.internal.watch.ListFixture;
import io.github.reconciler4j.cache.internal.watch.ListSnapshot;
import io.github.reconciler4j.cache.internal.watch.PartFilter;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore.Missing;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.WatchReader;
import io.github.reconciler4j.cache.internal.writes.PendingWrites;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a cache has when parts come and go, and the API server selects: of parts that were gained the state of their list, or what
 * the watch has delivered since, of others what it has delivered. More seeds: {@code -Dgains.seeds=10000}.
 */
class GainedPartsTests {

    private static final int SEEDS = Integer.getInteger("gains.seeds", 200);
    private static final int STEPS = 150;
    private static final int NAMES = 24;
    private static final int PARTS = 8;
    private static final KindInfo MAPS = Scheme.create().kindOf(ConfigMap.class);
    private static final Partition NONE = Partition.of(PARTS, Set.of());

    /** An event of the API server. The name decides the uid until the object is created again. */
    private record Event(String type, int number, int uid, long version) {

        String json() {
            return Json.configMap("a", "x" + number, uid, version, "v" + version);
        }

        MutableHeader header() {
            return Json.header("a", "x" + number, uid, Long.toString(version), "");
        }

        int part() {
            return NONE.ofUid(Json.uid(uid));
        }
    }

    /** One history. */
    private static final class History {
        private final Random random;
        private final List<Event> events = new ArrayList<>();
        private final ObjectStore store = new ObjectStore();
        private final PendingWrites writes = PendingWrites.none(store);
        private final Scope scope = new Scope(MAPS, "", ObjectSelector.everything(), List.of());
        private final ScopeStore scoped = new ScopeStore(
                scope,
                false,
                null,
                store,
                writes,
                this::change,
                listed -> {},
                () -> {},
                new UndecodableObjects(new LogLimiter()),
                TimeSource.system());
        private final EntryReader reader = new EntryReader.Factory(
                        MAPS, KindCacheOptions.defaults(), new StringInterner(), new CompactEncoder(new DeflaterPool()))
                .create(true);
        private HeldParts held = HeldParts.initial(NONE);

        /** The parts that are listed and held still, with the versions of their lists. */
        private final Map<Integer, Long> listed = new TreeMap<>();

        /** The uids of objects whose names other objects have in a list. */
        private final Set<String> replaced = new TreeSet<>();

        private Missing missing = Missing.ALL;
        private long version = 1;
        private long position;
        private int gains;

        History(long seed) {
            random = new Random(seed);
        }

        /** What appears must not have been there, and what disappears must have. */
        private void change(List<Change> changes, Runnable stored) {
            Set<String> names = new TreeSet<>(stored(entry -> true).keySet());
            for (Change change : changes) {
                String name = change.entry().name();
                if (change.isRemoval()) {
                    assertThat(names.remove(name)).as("%s was there", name).isTrue();
                } else if (change.type() == Change.Type.CREATED) {
                    assertThat(names.add(name)).as("%s was not there", name).isTrue();
                }
            }
            store.prepare(changes);
            store.apply(changes);
            stored.run();
        }

        void run() throws IOException {
            hold();
            for (int i = 0; i < STEPS; i++) {
                switch (random.nextInt(6)) {
                    case 0, 1, 2 -> write(random.nextInt(NAMES));
                    case 3 -> deliver();
                    case 4 -> list();
                    default -> hold();
                }
                assertThat(stored(entry -> !replaced.contains(entry.uid()))).isEqualTo(expected());
            }
        }

        /** The objects of a name have several uids, so that they are in several parts. */
        private void write(int number) {
            version++;
            Event before = state(number, version);
            if (before == null) {
                events.add(new Event("ADDED", number, random.nextInt(Integer.MAX_VALUE), version));
            } else {
                String type = random.nextInt(3) == 0 ? "DELETED" : "MODIFIED";
                events.add(new Event(type, number, before.uid, version));
            }
        }

        /** Return the object with a number at a version, null without one. */
        private Event state(int number, long at) {
            Event state = null;
            for (Event event : events) {
                if (event.number == number && event.version <= at) {
                    state = event.type.equals("DELETED") ? null : event;
                }
            }
            return state;
        }

        /** Other parts are held from now on. */
        private void hold() {
            Set<Integer> numbers = new TreeSet<>(held.partition().held());
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                int part = random.nextInt(PARTS);
                if (!numbers.remove(part)) {
                    numbers.add(part);
                }
            }
            if (numbers.isEmpty()) {
                numbers.add(0);
            }
            held = held.change(NONE.withHeld(numbers));
            listed.keySet().removeIf(part -> !numbers.contains(part));
            missing = scoped.select(PartFilter.of(held, PartitionKey.uid(), MAPS));
            if (position > 0) {
                assertThat(missing).isEqualTo(listed.keySet().equals(numbers) ? Missing.NOTHING : Missing.GAINED);
            }
        }

        private void list() throws IOException {
            if (missing == Missing.NOTHING) {
                return;
            }
            ListSnapshot list = scoped.newList(missing, true);
            List<Event> sent = IntStream.range(0, NAMES)
                    .mapToObj(number -> state(number, version))
                    .filter(event -> event != null && list.filter().selects(event.header()))
                    .toList();
            for (Event now : sent) {
                events.stream()
                        .filter(event -> event.number == now.number && event.uid != now.uid)
                        .forEach(event -> replaced.add(Json.uid(event.uid)));
            }
            ListFixture.fill(list, reader, sent.stream().map(Event::json).toList());
            if (missing == Missing.ALL) {
                position = version;
                scoped.replace(list, Long.toString(version));
            } else {
                gains++;
                assertThat(scoped.add(list, Long.toString(version))).isTrue();
                assertThat(sent).noneMatch(event -> listed.containsKey(event.part()));
            }
            held.partition().held().forEach(part -> listed.putIfAbsent(part, version));
            missing = Missing.NOTHING;
        }

        /** The watch ends when parts change, and continues when all is listed. */
        private void deliver() throws IOException {
            if (missing != Missing.NOTHING) {
                return;
            }
            int some = random.nextInt(6);
            for (Event event : List.copyOf(events)) {
                if (event.version > position && some > 0) {
                    some--;
                    position = event.version;
                    if (held.partition().isHeld(event.part())) {
                        byte[] json = event.json().getBytes(StandardCharsets.UTF_8);
                        reader.read(new JsonReader(json, json.length));
                        scoped.event(WatchReader.Type.valueOf(event.type), reader.header(), reader);
                    }
                }
            }
        }

        private Map<String, String> stored(Predicate<Entry> which) {
            Map<String, String> stored = new TreeMap<>();
            store.list("").stream()
                    .filter(which)
                    .forEach(entry -> stored.put(entry.name(), entry.uid() + " at " + entry.resourceVersion()));
            return stored;
        }

        /** What a newer list of another part has replaced is gone, although the watch has not delivered that. */
        private Map<String, String> expected() {
            Map<Integer, Event> newest = new TreeMap<>();
            listed.forEach((part, at) -> IntStream.range(0, NAMES)
                    .mapToObj(number -> state(number, Math.max(position, at)))
                    .filter(event -> event != null && event.part() == part && !replaced.contains(Json.uid(event.uid)))
                    .forEach(event -> newest.merge(
                            event.number, event, (one, other) -> one.version > other.version ? one : other)));
            Map<String, String> expected = new TreeMap<>();
            newest.forEach((number, event) -> expected.put("x" + number, Json.uid(event.uid) + " at " + event.version));
            return expected;
        }
    }

    @Test
    void addWhenEventsAreDeliveredAgainKeepsTheStateOfTheList() throws IOException {
        int gains = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            History history = new History(seed);
            try {
                history.run();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
            gains += history.gains;
        }
        assertThat(gains).isGreaterThan(SEEDS);
    }
}
