package io.github.reconciler4j.cache.internal.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What bodies are encoded to, in bytes: a change that encodes them worse is seen here, not by those who decode them. */
class DictionaryEncoderTests {

    private static final int LIMIT = 1 << 16;

    private final Random random = new Random(7);

    private String object() {
        StringBuilder text = new StringBuilder("{\"metadata\":{\"name\":\"n" + random.nextInt(100) + "\"},\"spec\":{");
        for (int i = random.nextInt(40); i >= 0; i--) {
            text.append("\"field-").append(random.nextInt(12)).append("\":");
            switch (random.nextInt(4)) {
                case 0 -> text.append(random.nextInt(100));
                case 1 ->
                    text.append("\"registry.example.com/image:")
                            .append(random.nextInt(3))
                            .append('"');
                case 2 ->
                    text.append('"')
                            .append("ab".repeat(random.nextInt(60)))
                            .append(random.nextInt())
                            .append('"');
                default -> text.append("{\"cpu\":\"").append(random.nextInt(9)).append("00m\",\"memory\":\"1Gi\"}");
            }
            text.append(',');
        }
        return text.append("}}").toString();
    }

    private byte[] objects(int size) {
        StringBuilder text = new StringBuilder();
        while (text.length() < size) {
            text.append(object());
        }
        return text.substring(0, size).getBytes(UTF_8);
    }

    private static byte[] encode(DictionaryEncoder encoder, byte[] body) {
        byte[] encoded = encoder.encode(body, body.length);
        assertThat(encoder.dictionary().decode(encoded)).isEqualTo(body);
        return encoded;
    }

    @Test
    void objectsThatResembleTheDictionaryTakeTheSpaceThatWasMeasured() {
        List<Integer> sizes = new ArrayList<>();
        for (int dictionary : List.of(2_000, 16_000, 32_000)) {
            DictionaryEncoder encoder = new DictionaryEncoder(objects(dictionary));
            sizes.add(IntStream.range(0, 300)
                    .map(i -> encode(encoder, object().getBytes(UTF_8)).length)
                    .sum());
        }

        assertThat(sizes).as("lower the numbers if bodies are encoded better").containsExactly(46450, 39953, 41094);
    }

    @Test
    void objectsThatDoNotResembleItTakeTheSpaceThatWasMeasured() {
        DictionaryEncoder encoder = new DictionaryEncoder(objects(16_000));
        byte[] noise = new byte[3_000];
        random.nextBytes(noise);
        byte[] twice = Arrays.copyOf(noise, 6_000);
        System.arraycopy(noise, 0, twice, 3_000, 3_000);
        byte[] zeros = new byte[40_000];
        byte[] foreign =
                "status of something else, which no example has".repeat(20).getBytes(UTF_8);

        assertThat(List.of(
                        encode(encoder, noise).length,
                        encode(encoder, twice).length,
                        encode(encoder, zeros).length,
                        encode(encoder, foreign).length,
                        encode(encoder, "?Y5!vQ~w#=QY?Y5!vQ~w#=Q".getBytes(UTF_8)).length,
                        encode(encoder, new byte[0]).length,
                        encode(encoder, new byte[] {1, 2, 3}).length))
                .as("lower the numbers if bodies are encoded better")
                .containsExactly(3653, 3665, 11, 60, 21, 4, 8);
    }

    @Test
    void bodyWhenEncodedAgainAfterOthersIsTheSame() {
        DictionaryEncoder encoder = new DictionaryEncoder(objects(16_000));
        byte[] body = object().getBytes(UTF_8);
        byte[] first = encode(encoder, body);
        for (int i = 0; i < 50; i++) {
            encode(encoder, object().getBytes(UTF_8));
        }

        assertThat(encode(encoder, body)).isEqualTo(first);
    }

    @Test
    void bodyFitsUpToTheLastPosition() {
        DictionaryEncoder encoder = new DictionaryEncoder(objects(1_000));

        assertThat(encoder.fits(LIMIT - 1_000)).isTrue();
        assertThat(encoder.fits(LIMIT - 999)).isFalse();
        byte[] longest = objects(LIMIT - 1_000);
        assertThat(encode(encoder, longest).length).isLessThan(longest.length);
    }

    @Test
    void lengthsAreTheSumOfTheirSymbolAndTheBitsThatFollow() {
        for (int length = Dictionary.MIN_LENGTH; length < LIMIT; length++) {
            int symbol = Dictionary.symbol(length) - 256;
            int bits = Dictionary.lengthBits(length);
            if (length < Dictionary.MIN_LENGTH + 16) {
                assertThat(bits).isZero();
                assertThat(symbol).isEqualTo(length - Dictionary.MIN_LENGTH);
            } else {
                assertThat(symbol).isEqualTo(16 + bits - 4).isLessThan(Dictionary.SYMBOLS - 256);
                assertThat(length - Dictionary.shortest(bits)).isBetween(0, (1 << bits) - 1);
            }
        }
    }

    /** A code is as short as that of another implementation of Huffman's. No count is so small that its code would be longer than the limit. */
    @Test
    void codesWhenDrawnAreAsShortAsThoseOfAnotherImplementation() {
        for (int i = 0; i < 300; i++) {
            int[] counts = random.ints(2 + random.nextInt(Dictionary.SYMBOLS - 1), 20, 30 + random.nextInt(170))
                    .toArray();

            Dictionary.Code code = new Dictionary.Code(counts);

            assertPrefixes(code, counts.length);
            long bits = IntStream.range(0, counts.length)
                    .mapToLong(s -> (long) counts[s] * code.length(s))
                    .sum();
            assertThat(bits).isEqualTo(bitsOfHuffman(counts));
        }
    }

    @Test
    void codesWhenCountsDifferWidelyHaveAtMostTwelveBits() {
        int[] counts = new int[30];
        Arrays.setAll(counts, i -> 1 << i);

        Dictionary.Code code = new Dictionary.Code(counts);

        assertPrefixes(code, counts.length);
        assertThat(IntStream.range(0, 30).map(code::length).max()).hasValue(Dictionary.Code.MAX_BITS);
        assertThat(code.length(29)).as("the most frequent one").isLessThanOrEqualTo(3);
        assertThat(IntStream.range(1, 30).allMatch(s -> code.length(s) <= code.length(s - 1)))
                .as("the more frequent, the shorter")
                .isTrue();
    }

    private static long bitsOfHuffman(int[] counts) {
        PriorityQueue<Long> weights = new PriorityQueue<>();
        Arrays.stream(counts).forEach(count -> weights.add((long) count));
        long bits = 0;
        while (weights.size() > 1) {
            long both = weights.remove() + weights.remove();
            bits += both;
            weights.add(both);
        }
        return bits;
    }

    /** No code is the start of another one, and all together are complete. */
    private static void assertPrefixes(Dictionary.Code code, int symbols) {
        int[] owners = new int[1 << Dictionary.Code.MAX_BITS];
        for (int symbol = 0; symbol < symbols; symbol++) {
            assertThat(code.length(symbol)).isBetween(1, Dictionary.Code.MAX_BITS);
            for (int bits = code.code(symbol) & 0xffff; bits < owners.length; bits += 1 << code.length(symbol)) {
                owners[bits]++;
            }
        }
        assertThat(owners).containsOnly(1);
    }
}
