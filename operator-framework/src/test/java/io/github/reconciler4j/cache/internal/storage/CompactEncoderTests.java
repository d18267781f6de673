package io.github.reconciler4j.cache.internal.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompactEncoderTests {

    private final Random random = new Random(7);
    private final DeflaterPool pool = new DeflaterPool();
    private final CompactEncoder encoder = new CompactEncoder(pool);

    @AfterEach
    void close() {
        pool.close();
    }

    private String object(String shape) {
        StringBuilder text = new StringBuilder("{\"metadata\":{},\"shape\":\"" + shape + "\"");
        for (int i = 0; i < 100; i++) {
            text.append(",\"")
                    .append(shape)
                    .append("-field-")
                    .append(i)
                    .append("\":")
                    .append(random.nextInt());
        }
        return text.append('}').toString();
    }

    private Entry encode(String json) {
        MutableHeader header = Json.header("", "n", 1, "1", "");
        ByteBuilder bytes = new ByteBuilder(16);
        byte[] text = json.getBytes(UTF_8);
        bytes.append(text, 0, text.length);
        return encoder.encode(header, bytes);
    }

    private static int size(Entry entry) {
        return ((byte[]) entry.body()).length;
    }

    @Test
    void decodeWhenDictionariesChangedReturnsEveryObjectUnchanged() {
        List<String> texts = new ArrayList<>();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 6000; i++) {
            String text = object(i < 2000 ? "first-one-of-all" : "second-quite-different");
            texts.add(text);
            entries.add(encode(text));
        }

        List<Integer> changes = IntStream.range(1, entries.size())
                .filter(i -> entries.get(i).form() != entries.get(i - 1).form())
                .boxed()
                .toList();
        assertThat(changes)
                .as("when a dictionary is taken, and replaced by a better one")
                .containsExactly(66, 3689);
        for (int i = 0; i < texts.size(); i++) {
            assertThat(new String(entries.get(i).json(), UTF_8)).isEqualTo(texts.get(i));
        }
    }

    @Test
    void encodeWhenObjectsResembleEachOtherTakesLessSpaceAndAdaptsToAnotherShape() {
        int alone = size(encode(object("first")));
        for (int i = 0; i < 100; i++) {
            encode(object("first"));
        }
        int together = size(encode(object("first")));
        int strange = size(encode(object("second-quite-different")));
        for (int i = 0; i < 4000; i++) {
            encode(object("second-quite-different"));
        }

        assertThat(together).isLessThan(alone * 9 / 10);
        assertThat(size(encode(object("second-quite-different")))).isLessThan(strange * 9 / 10);
    }

    @Test
    void dictionaryWhenThereAreFewObjectsIsNotMade() {
        String large = "\"" + object("first").repeat(5) + "\""; // one alone suffices for a dictionary
        List<Boolean> dictionaries = new ArrayList<>();
        for (int i = 0; i < 65; i++) {
            dictionaries.add(encode(large).form() instanceof Dictionary);
        }
        assertThat(dictionaries.subList(0, 64)).containsOnly(false);
        assertThat(dictionaries.get(64)).isTrue();
    }

    /** A single object is all that the dictionary can show, so it is shown more of it. */
    @Test
    void dictionaryWhenOneObjectFillsItHasTwiceTheLength() {
        String large = "\""
                + random.ints(5000, 'a', 'z').mapToObj(Character::toString).collect(Collectors.joining())
                + random.ints(20_000, '0', '9').mapToObj(Character::toString).collect(Collectors.joining()) + "\"";
        for (int i = 0; i < 63; i++) {
            encode("{}");
        }
        encode(large); // the first example

        Entry entry = encode(large);

        assertThat(entry.form()).isInstanceOf(Dictionary.class);
        assertThat(size(entry)).as("nothing but a place in the dictionary").isLessThan(20);
    }

    @Test
    void encodeWhenAnotherThreadHasEncodedDoesNotWait() throws Exception {
        FutureTask<Entry> task = new FutureTask<>(() -> encode(object("first")));
        Thread other = new Thread(task);
        encode(object("first"));

        other.start();

        assertThat(task.get(30, TimeUnit.SECONDS).json()).isNotEmpty();
    }

    /** Lengths around the limit of a dictionary, repeated parts of all lengths, and bytes that no example has. */
    @Test
    void decodeWhenObjectsAreOfAnySizeAndContentReturnsThemUnchanged() {
        for (int i = 0; i < 100; i++) {
            encode(object("first"));
        }
        for (int i = 0; i < 1000; i++) {
            String text = anything(1 << random.nextInt(18));

            Entry entry = encode(text);

            assertThat(new String(entry.json(), UTF_8)).isEqualTo(text);
        }
    }

    private String anything(int size) {
        StringBuilder text = new StringBuilder();
        while (text.length() < size) {
            int from = random.nextInt(text.length() + 1);
            switch (random.nextInt(4)) {
                case 0 -> text.append((char) random.nextInt(0xD800));
                case 1 -> text.append(Integer.toString(random.nextInt(2), 2).repeat(1 + random.nextInt(40)));
                case 2 ->
                    text.append(text, from, Math.min(text.length(), from + random.nextInt(1 << random.nextInt(16))));
                default -> text.append(object("first"));
            }
        }
        return text.toString();
    }

    @Test
    void encodeWhenAnObjectDoesNotResembleTheDictionaryDeflatesIt() {
        for (int i = 0; i < 100; i++) {
            encode(object("first"));
        }
        String strange = "\u00e4\u00f6\u00fc\u00df".repeat(10)
                + random.ints(500, 0x100, 0x2000).mapToObj(Character::toString).collect(Collectors.joining());

        Entry usual = encode(object("first"));
        Entry entry = encode(strange);

        assertThat(usual.form()).isInstanceOf(Dictionary.class);
        assertThat(entry.form()).isNotInstanceOf(Dictionary.class).isNotSameAs(BodyForm.PLAIN);
        assertThat(new String(entry.json(), UTF_8)).isEqualTo(strange);
    }

    @Test
    void encodeWhenObjectIsTooLongForTheDictionaryDeflatesIt() {
        for (int i = 0; i < 100; i++) {
            encode(object("first"));
        }
        Entry entry = encode("\"" + object("first").repeat(100) + "\"");

        assertThat(entry.form()).isNotInstanceOf(Dictionary.class);
        assertThat(entry.json().length).isGreaterThan(Dictionary.MAX_POSITION);
    }

    @Test
    void decodeWhenATextContinuesTheEndOfTheDictionaryReturnsItUnchanged() {
        String last = "";
        String next = object("first");
        while (!(encode(next).form() instanceof Dictionary)) {
            last = next;
            next = object("first");
        }
        String text = "how it starts" + last + "how it starts";

        Entry entry = encode(text);

        assertThat(entry.form()).isInstanceOf(Dictionary.class);
        assertThat(new String(entry.json(), UTF_8)).isEqualTo(text);
    }

    @Test
    void encodeWhenTextCannotShrinkKeepsItPlain() {
        Entry entry = encode("{}");

        assertThat(entry.form()).isSameAs(BodyForm.PLAIN);
        assertThat(new String(entry.json(), UTF_8)).isEqualTo("{}");
    }

    @Test
    void decodeWhenManyThreadsReadReturnsACopyToEach() throws InterruptedException {
        List<String> texts = new ArrayList<>();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            texts.add(object("first") + "x".repeat(random.nextInt(20_000)));
            entries.add(encode(texts.get(i)));
        }
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < texts.size(); i++) {
                    if (!new String(entries.get(i).json(), UTF_8).equals(texts.get(i))) {
                        failure.set(new AssertionError("object " + i + " differs"));
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failure.get()).isNull();
    }
}
