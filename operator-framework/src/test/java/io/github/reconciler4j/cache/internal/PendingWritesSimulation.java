package io.github.reconciler4j.cache.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.storage.UndecodableObjects;
import io.github.reconciler4j.cache.internal.watch.ExpectedKind;
import io.github.reconciler4j.cache.internal.watch.ListFixture;
import io.github.reconciler4j.cache.internal.watch.PartFilter;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.cache.internal.watch.WatchReader;
import io.github.reconciler4j.cache.internal.writes.LiveLookup;
import io.github.reconciler4j.cache.internal.writes.PendingWrites;
import io.github.reconciler4j.cache.internal.writes.ReadView;
import io.github.reconciler4j.cache.internal.writes.WriteResponseHandler;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A program that writes and reads through the parts of the cache that show it its own writes, an API server, and a watch
 * between them. One thread does one step after the other, as a seed decides: another client writes, a write of the program is
 * carried out, its answer arrives or is lost, the watch delivers an event, a bookmark or a new list, the namespace is no longer
 * watched, or by another watch, the program reads. Further steps are taken while a lookup is under way, and after the progress
 * of the watch was asked for, as other threads may.
 */
final class PendingWritesSimulation {

    private static final List<String> NAMES = List.of("x", "y", "z");
    private static final int MAX_UNANSWERED = 4;

    private final Random random;
    private final SimulatedServer server;
    private final ObjectStore store = new ObjectStore();
    private final ReadView view;
    private final WriteResponseHandler handler;
    private final EntryReader reader;
    private final PendingWrites writes;
    private final Scope scope;
    private final List<Answer> unanswered = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    /** By name: the version at which the last answered or lost write was carried out; a later read must not show what was before. */
    private final Map<String, Long> floors = new HashMap<>();

    /** The watch that covers the namespace, null if none does. */
    private @Nullable ScopeStore covering;
    /** The watch whose reflector is running, null without one. */
    private @Nullable ScopeStore watch;

    /** Whether {@link #watch} has listed. */
    private boolean listed;
    /** Whether objects are missing, from when no watch covers the namespace to the first list of the next one. */
    private boolean incomplete;

    private Phase phase = Phase.WATCHED;
    private final long seed;
    private final boolean moves;
    private long position;
    private int depth;
    private long reads;
    private long refusals;

    /** How far a change of namespaces is. */
    private enum Phase {
        WATCHED,
        ENDED,
        LEAVING,
        FORGETTING,
        LEFT,
        CREATED
    }

    /** The answer to a write that was carried out at a version. */
    private record Answer(String name, long version, SimulatedServer.@Nullable Written written) {}

    PendingWritesSimulation(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.moves = seed % 2 == 0;
        boolean everything = seed % 3 == 0;
        this.server = new SimulatedServer(everything);
        KindInfo info = Scheme.create().kindOf(ConfigMap.class);
        ObjectSelector all = ObjectSelector.everything();
        ObjectSelector selector = everything ? all : all.withLabels("app=" + SimulatedServer.SELECTED);
        this.scope = new Scope(info, "", selector, List.of());
        KindCacheOptions options = KindCacheOptions.defaults().withStorage(StorageForm.ENCODED);
        EntryReader.Factory readers =
                new EntryReader.Factory(info, options, new StringInterner(), new CompactEncoder(new DeflaterPool()));
        this.reader = readers.create(true);
        ExpectedKind expected = new ExpectedKind(info, Discovery.of(server));
        LiveLookup lookup = new LiveLookup(
                server,
                expected,
                readers,
                namespace -> covering == null ? null : scope,
                () -> PartFilter.ALL,
                () -> true);
        this.writes = PendingWrites.create(store, lookup);
        this.view = new ReadView(store, writes, namespace -> progress());
        this.handler =
                new WriteResponseHandler(view, writes, namespace -> progress(), () -> readers.createForShortTime(true));
        this.covering = newWatch();
        this.watch = covering;
        server.meanwhile = this::meanwhile;
    }

    private ScopeStore newWatch() {
        return new ScopeStore(
                scope,
                false,
                null,
                store,
                writes,
                this::change,
                scope -> {},
                () -> {},
                new UndecodableObjects(new LogLimiter()),
                TimeSource.system());
    }

    private void change(List<Change> changes, Runnable stored) {
        store.prepare(changes);
        store.apply(changes);
        stored.run();
    }

    /** Return how far the watch has come; much may happen before it is used. */
    private @Nullable WatchProgress progress() {
        ScopeStore asked = covering;
        if (moves) {
            meanwhile();
        }
        return asked == null ? null : asked.progress();
    }

    long reads() {
        return reads;
    }

    long refusals() {
        return refusals;
    }

    List<String> steps() {
        return steps;
    }

    void run(int count) throws IOException {
        relist();
        for (int i = 0; i < count; i++) {
            step();
        }
    }

    private void step() throws IOException {
        switch (random.nextInt(moves ? 18 : 16)) {
            case 0, 1 -> write(any(), false);
            case 2, 3, 4, 5 -> write(any(), true);
            case 6, 7, 8 -> answer();
            case 9, 10 -> deliver();
            case 11 -> bookmark();
            case 12 -> {
                if (random.nextInt(4) == 0) {
                    relist();
                }
            }
            case 13 -> list();
            case 16, 17 -> move();
            default -> read(any());
        }
    }

    /** What happens while a lookup or another thread is under way; this does not nest. */
    private void meanwhile() {
        if (depth > 0) {
            return;
        }
        depth++;
        try {
            for (int i = random.nextInt(3); i > 0; i--) {
                step();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            depth--;
        }
    }

    private String any() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    /** Carry out a write of the program, whose answer is under way then, or of another client. */
    private void write(String name, boolean own) {
        String app = random.nextInt(4) == 0 ? "w" : SimulatedServer.SELECTED;
        int action = random.nextInt(4);
        SimulatedServer.Written written = switch (action) {
            case 0 -> server.create(name, app, random.nextInt(3) == 0);
            case 1 -> server.update(name, app);
            case 2 -> server.delete(name);
            default -> server.release(name);
        };
        steps.add((own ? "own " : "other ")
                + List.of("create ", "update ", "delete ", "release ").get(action) + name + " at " + server.version()
                + ": " + written);
        if (own && unanswered.size() < MAX_UNANSWERED && !(action == 3 && written == null)) {
            unanswered.add(new Answer(name, server.version(), written));
        }
    }

    /** Let the answer of any write arrive, or lose it. */
    private void answer() {
        if (unanswered.isEmpty()) {
            return;
        }
        Answer answer = unanswered.remove(random.nextInt(unanswered.size()));
        ObjectKey key = ObjectKey.of(SimulatedServer.NAMESPACE, answer.name);
        if (random.nextInt(5) == 0) {
            steps.add("lost " + answer);
            handler.unanswered(key);
            if (!moves) { // nothing is known of a namespace that is not watched for a while
                floors.merge(answer.name, answer.version, Math::max);
            }
            return;
        }
        steps.add("answer " + answer);
        SimulatedServer.Written written = answer.written;
        if (written == null) {
            refusals++;
            handler.refused(key);
        } else if (written.gone()) {
            byte[] json = random.nextBoolean() ? null : written.state().json().getBytes(UTF_8); // as the kind decides
            handler.deleted(key, Json.uid(written.state().uid()), json);
        } else {
            handler.written(written.state().json().getBytes(UTF_8));
        }
        floors.merge(answer.name, answer.version, Math::max);
    }

    /** Take one step of a change of namespaces, in the order of {@link ScopeWatches#watch}. */
    private void move() {
        switch (phase) {
            case WATCHED -> {
                watch = null;
                phase = Phase.ENDED;
            }
            case ENDED -> {
                boolean replaced = random.nextBoolean();
                covering = replaced ? newWatch() : null;
                incomplete = incomplete || !replaced;
                phase = replaced ? Phase.CREATED : Phase.LEAVING;
            }
            case LEAVING -> {
                phase = Phase.FORGETTING;
                change(
                        store.list("").stream()
                                .map(entry -> Change.deleted(entry, entry, true))
                                .toList(),
                        () -> {});
                meanwhile();
                writes.forget(namespace -> true);
                phase = Phase.LEFT;
            }
            case FORGETTING -> {
                return; // changes of namespaces do not overlap
            }
            case LEFT -> {
                covering = newWatch();
                phase = Phase.CREATED;
            }
            case CREATED -> {
                watch = covering;
                listed = false;
                phase = Phase.WATCHED;
            }
        }
        steps.add(phase.toString());
    }

    private void deliver() throws IOException {
        if (watch == null || !listed) {
            return;
        }
        for (SimulatedServer.Event event : server.after(position)) {
            byte[] json = event.json().getBytes(UTF_8);
            reader.read(new JsonReader(json, json.length));
            watch.event(WatchReader.Type.valueOf(event.type()), reader.header(), reader);
            position = event.version();
            steps.add("event " + event.type() + " " + event.name() + " at " + position);
            if (random.nextBoolean()) {
                return;
            }
        }
    }

    private void bookmark() {
        if (watch != null && listed && server.after(position).isEmpty()) {
            position = server.version();
            watch.bookmark(Long.toString(position));
            steps.add("bookmark " + position);
        }
    }

    private void relist() throws IOException {
        if (watch == null) {
            return;
        }
        listed = true;
        incomplete = false;
        position = server.version();
        watch.replace(
                ListFixture.fill(watch.newList(ReflectorStore.Missing.ALL, true), reader, server.selected()),
                Long.toString(position));
        steps.add("list " + position);
    }

    private void read(String name) {
        long floor = floors.getOrDefault(name, 0L);
        boolean partly = incomplete;
        check(name, floor, partly, view.get(ObjectKey.of(SimulatedServer.NAMESPACE, name)), "get ");
    }

    private void list() {
        Map<String, Long> before = new HashMap<>(floors);
        boolean partly = incomplete;
        Map<String, Entry> found = new HashMap<>();
        view.list(SimulatedServer.NAMESPACE).forEach(entry -> found.put(entry.name(), entry));
        NAMES.forEach(name -> check(name, before.getOrDefault(name, 0L), partly, found.get(name), "list "));
    }

    private void check(String name, long floor, boolean partly, @Nullable Entry entry, String how) {
        reads++;
        if (entry == null && (partly || incomplete)) {
            return;
        }
        long object = entry == null ? 0 : Long.parseLong(entry.resourceVersion());
        long lastSeen = server.lastSeen(name, object);
        steps.add(how + name + " -> " + object);
        if (lastSeen < floor) {
            throw new AssertionError("seed " + seed + ": " + how + name + " returned " + object + ", which ended at "
                    + lastSeen + " although a write was answered at " + floor + ": " + steps);
        }
    }
}
