package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.subscription.ChangeFeed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Store and index are linearizable with one writer and many readers: an entry, the list and the index are never apart.
 * The system property {@code lincheck.factor}, 1 by default, multiplies how deep the tests look.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "label", gen = IntGen.class, conf = "1:2")
public class ObjectStoreLincheckTests {

    private static final int FACTOR = Integer.getInteger("lincheck.factor", 1);
    private static final String LABEL = "app";

    private final ObjectStore store = new ObjectStore();
    private final ChangeFeed feed = new ChangeFeed(store, Duration.ZERO, new ScheduledThreadPoolExecutor(0));
    private int version;

    /** Starts with an index. */
    public ObjectStoreLincheckTests() {
        feed.addIndexIfAbsent(LABEL, entry -> List.of(entry.labels().get(LABEL)));
    }

    private Entry entry(int key, int label) {
        String version = Integer.toString(++this.version);
        return new Entry(
                Json.header("ns", "k" + key, key, version, Integer.toString(label)), new byte[0], BodyForm.PLAIN);
    }

    @Operation(nonParallelGroup = "writer")
    public void put(@Param(name = "key") int key, @Param(name = "label") int label) {
        Entry old = store.get("ns", "k" + key);
        Entry now = entry(key, label);
        feed.write(List.of(old == null ? Change.created(now, false) : Change.updated(old, now)));
    }

    @Operation(nonParallelGroup = "writer")
    public boolean delete(@Param(name = "key") int key) {
        Entry old = store.get("ns", "k" + key);
        if (old != null) {
            feed.write(List.of(Change.deleted(old, old, false)));
        }
        return old != null;
    }

    @Operation
    public String get(@Param(name = "key") int key) {
        Entry entry = store.get("ns", "k" + key);
        return entry == null ? "none" : entry.labels().get(LABEL);
    }

    @Operation
    public String all() {
        return describe(store.list(""));
    }

    @Operation
    public String find(@Param(name = "label") int label) {
        return describe(store.find(List.of(new FieldTerms.IndexTerm(LABEL, Integer.toString(label)))));
    }

    private static String describe(List<Entry> entries) {
        Map<String, String> found = new TreeMap<>();
        entries.forEach(entry -> found.put(entry.name(), entry.labels().get(LABEL)));
        return found.toString();
    }

    @Test
    void readsWhenAWriterIsAtWorkAreLinearizable() {
        new ModelCheckingOptions()
                .sequentialSpecification(Sequential.class)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .iterations(8 * FACTOR)
                .invocationsPerIteration(30)
                .check(getClass());
    }

    @Test
    void readsWhenRunAtOnceAreLinearizable() {
        new StressOptions()
                .sequentialSpecification(Sequential.class)
                .threads(3)
                .actorsPerThread(4)
                .actorsBefore(2)
                .actorsAfter(2)
                .iterations(20 * FACTOR)
                .invocationsPerIteration(300)
                .check(getClass());
    }

    /** The same operations on a map. */
    public static final class Sequential {

        private final Map<String, String> entries = new TreeMap<>();

        public void put(int key, int label) {
            entries.put("k" + key, Integer.toString(label));
        }

        public boolean delete(int key) {
            return entries.remove("k" + key) != null;
        }

        public String get(int key) {
            return entries.getOrDefault("k" + key, "none");
        }

        public String all() {
            return entries.toString();
        }

        public String find(int label) {
            Map<String, String> found = new TreeMap<>(entries);
            found.values().removeIf(value -> !value.equals(Integer.toString(label)));
            return found.toString();
        }
    }
}
