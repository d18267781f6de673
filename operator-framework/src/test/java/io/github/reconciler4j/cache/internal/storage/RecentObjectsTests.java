package io.github.reconciler4j.cache.internal.storage;

import static io.github.reconciler4j.cache.internal.storage.EntryFixture.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.cache.internal.storage.ObjectDecoder.RecentObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecentObjectsTests {

    private final RecentObjects<ConfigMap> recent = new RecentObjects<>();
    private final AtomicInteger decoded = new AtomicInteger();

    private ConfigMap decode(Entry entry) {
        decoded.incrementAndGet();
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(entry.name())
                .withResourceVersion(entry.resourceVersion())
                .addToLabels("app", "shop")
                .endMetadata()
                .build();
    }

    private ConfigMap read(Entry entry) {
        return recent.get(entry, this::decode);
    }

    private static void change(ConfigMap object) {
        object.getMetadata().setName("changed");
        object.getMetadata().setResourceVersion("changed");
        object.getMetadata().getLabels().put("changed", "yes");
        object.setData(Map.of("changed", "yes"));
    }

    private static void check(ConfigMap object, Entry entry) {
        assertThat(object.getMetadata().getName()).isEqualTo(entry.name());
        assertThat(object.getMetadata().getResourceVersion()).isEqualTo(entry.resourceVersion());
        assertThat(object.getMetadata().getLabels()).isEqualTo(Map.of("app", "shop"));
        assertThat(object.getData()).isNullOrEmpty();
    }

    @Test
    void getWhenReadersChangeWhatTheyGotReturnsTheObjectUnchanged() {
        Entry entry = entry("a", "x", 1, "5", "");
        for (int i = 0; i < 1000; i++) {
            ConfigMap read = read(entry);
            check(read, entry);
            change(read);
        }
        assertThat(decoded.get()).as("all but a few are copies").isLessThan(100);
    }

    @Test
    void getWhenEachEntryIsReadOnceDecodesEachOnce() {
        for (int i = 0; i < 20_000; i++) {
            Entry entry = entry("a", "x" + i, i, "5", "");
            check(read(entry), entry);
            assertThat(entry.mark()).isNotZero().isEven();
        }
        assertThat(decoded.get()).isEqualTo(20_000);
    }

    @Test
    void getWhenManyEntriesAreReadAgainAndAgainMostlyCopies() {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            entries.add(entry("a", "x" + i, i, Integer.toString(i), ""));
        }
        for (int round = 0; round < 50; round++) {
            entries.forEach(entry -> check(read(entry), entry));
        }
        assertThat(decoded.get()).isLessThan(25_000);
    }

    @Test
    void getWhenTwoEntriesHaveTheSameMarkReturnsEachItsOwn() {
        Entry one = entry("a", "x", 1, "5", "");
        Entry other = entry("b", "x", 1, "5", "");
        assertThat(one.mark()).isEqualTo(other.mark()).isNotZero();
        for (int i = 0; i < 100; i++) {
            ConfigMap first = recent.get(one, entry -> named("one"));
            ConfigMap second = recent.get(other, entry -> named("other"));
            assertThat(first.getMetadata().getName()).isEqualTo("one");
            assertThat(second.getMetadata().getName()).isEqualTo("other");
        }
    }

    private static ConfigMap named(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void getWhenDecodingFailsFailsEachTime() {
        Entry entry = entry("a", "x", 1, "5", "");
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> recent.get(entry, broken -> {
                        throw new IllegalStateException("broken");
                    }))
                    .hasMessage("broken");
        }
        check(read(entry), entry);
    }

    @Test
    void getWhenTheObjectCannotBeCopiedDecodesEachTime() {
        RecentObjects<Thread> threads = new RecentObjects<>();
        Entry entry = entry("a", "x", 1, "5", "");
        Map<Thread, Boolean> seen = new ConcurrentHashMap<>();
        for (int i = 0; i < 200; i++) {
            assertThat(seen.put(threads.get(entry, decoding -> new Thread()), true))
                    .isNull();
        }
    }

    @Test
    void getWhenMemoryIsCollectedDecodesAgain() {
        Entry entry = entry("a", "x", 1, "5", "");
        for (int i = 0; i < 3; i++) {
            read(entry);
        }
        int before = decoded.get();
        System.gc();
        check(read(entry), entry);
        assertThat(decoded.get()).isEqualTo(before + 1);
    }

    @Test
    void getWhenMemoryIsCollectedDecodesEntriesThatAreReadInTurnOnceEach() {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            entries.add(entry("a", "x" + i, i, Integer.toString(i), ""));
        }
        for (int round = 0; round < 20; round++) {
            entries.forEach(this::read);
        }
        int decodedAgain = entries.size();
        for (int attempt = 0; attempt < 5 && decodedAgain >= 30; attempt++) { // a collection may fall between the reads
            System.gc();
            entries.forEach(this::read);
            int before = decoded.get();
            entries.forEach(entry -> check(read(entry), entry));
            decodedAgain = decoded.get() - before;
        }
        assertThat(decodedAgain).as("the others were kept at once").isLessThan(30);
    }

    @Test
    void getByManyThreadsWhileVersionsChangeReturnsTheStateThatWasAskedFor()
            throws InterruptedException, ExecutionException {
        Entry[] current = new Entry[3000];
        for (int i = 0; i < current.length; i++) {
            current[i] = entry("a", "x" + i, i, "1", "");
        }
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Void> reading = () -> {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                for (int i = 0; i < 50_000; i++) {
                    int index = random.nextInt(random.nextBoolean() ? 30 : current.length);
                    Entry entry = current[index];
                    ConfigMap read = read(entry);
                    check(read, entry);
                    change(read);
                    if (i % 10 == 0) {
                        current[index] = entry("a", "x" + index, index, Integer.toString(i), "");
                    }
                }
                return null;
            };
            for (Future<Void> done : threads.invokeAll(List.of(reading, reading, reading, reading))) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
