package io.github.reconciler4j.cache.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reader against Jackson: random values, every split of the input, and damaged input. */
class JsonReaderFuzzTests {

    private static final int DEEP = 100_000;
    private static final String[] TEXTS = {
        "", "a", "ü€😀", "\"", "\\", "/", "\b\f\n\r\t", "\u0000\u001f", "]}{[", "a,b:c", "\ud83d\ude00", "true", "1"
    };

    private final ObjectMapper mapper = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS);

    private static JsonReader stream(byte[] json, int... ends) {
        InputStream in = new ByteArrayInputStream(json) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                int until = json.length;
                for (int end : ends) {
                    until = pos < end ? Math.min(until, end) : until;
                }
                return super.read(to, offset, Math.min(length, Math.max(1, until - pos)));
            }
        };
        return new JsonReader(in, new StringInterner());
    }

    private static JsonNode random(Random random, int depth) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        int kind = random.nextInt(depth > 3 ? 5 : 8);
        return switch (kind) {
            case 0 -> nodes.nullNode();
            case 1 -> nodes.booleanNode(random.nextBoolean());
            case 2 -> nodes.numberNode(random.nextLong());
            case 3 -> nodes.numberNode(BigDecimal.valueOf(random.nextInt(), random.nextInt(40) - 20));
            case 4 -> nodes.textNode(text(random));
            case 5 -> {
                ArrayNode array = nodes.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(random(random, depth + 1));
                }
                yield array;
            }
            default -> object(random, depth);
        };
    }

    private static ObjectNode object(Random random, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            object.set(text(random), random(random, depth + 1));
        }
        return object;
    }

    private static String text(Random random) {
        return TEXTS[random.nextInt(TEXTS.length)] + TEXTS[random.nextInt(TEXTS.length)];
    }

    /** Reads one value as a caller does who walks over everything. */
    private static JsonNode walk(JsonReader json) throws IOException {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (json.openIf('{')) {
            ObjectNode object = nodes.objectNode();
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                object.set(name, walk(json));
            }
            return object;
        }
        if (json.openIf('[')) {
            ArrayNode array = nodes.arrayNode();
            while (json.nextElement()) {
                array.add(walk(json));
            }
            return array;
        }
        if (json.peek() == '"') {
            return nodes.textNode(json.text());
        }
        ByteBuilder scalar = new ByteBuilder(16);
        json.copyValue(scalar);
        return new ObjectMapper()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
                .readTree(scalar.toString());
    }

    private String pretty(JsonNode node, Random random) throws IOException {
        return random.nextBoolean()
                ? mapper.writeValueAsString(node)
                : mapper.writerWithDefaultPrettyPrinter().writeValueAsString(node);
    }

    @Test
    void readWhenInputIsSplitAnywhereIsWhatJacksonReads() throws IOException {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            byte[] json = pretty(object(random, 0), random).getBytes(UTF_8);
            JsonNode expected = mapper.readTree(json);
            for (int split = 1; split < Math.min(json.length, 400); split++) {
                ByteBuilder copy = new ByteBuilder(16);
                stream(json, split).copyValue(copy);
                assertThat(mapper.readTree(copy.toArray()))
                        .as("seed %s, split %s", seed, split)
                        .isEqualTo(expected);
                assertThat(walk(stream(json, split, split + 1)))
                        .as("seed %s, split %s", seed, split)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void readWhenInputIsCutAnywhereFails() throws IOException {
        for (int seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            byte[] json = pretty(object(random, 0), random).getBytes(UTF_8);
            for (int length = 0; length < json.length; length++) {
                byte[] cut = Arrays.copyOf(json, length);
                assertThatThrownBy(() -> stream(cut).skip()).isInstanceOf(IOException.class);
                assertThatThrownBy(() -> walk(stream(cut))).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void readWhenBytesAreDamagedFailsOrReadsButNeverThrowsAnythingElse() throws IOException {
        int read = 0;
        for (int seed = 0; seed < 5000; seed++) {
            Random random = new Random(seed);
            byte[] json = pretty(object(random, 0), random).getBytes(UTF_8);
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                json[random.nextInt(json.length)] = (byte) random.nextInt(256);
            }
            try {
                new ItemReader(true).read(stream(json, random.nextInt(json.length)));
                new HeaderReader(new StringInterner()).read(json, 0, json.length);
                read++;
            } catch (IOException e) {
                assertThat(e).hasMessageNotContaining("😀"); // never the content
            }
        }
        assertThat(read).isPositive();
    }

    @Test
    void textWhenBytesAreNoUtf8HasTheReplacementCharacter() throws IOException {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            for (int i = random.nextInt(12); i > 0; i--) {
                int next = random.nextInt(256);
                text.write(next == '"' || next == '\\' || next < ' ' ? 'x' : next);
            }
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            json.write('"');
            json.writeBytes(text.toByteArray());
            json.write('"');
            assertThat(stream(json.toByteArray(), 1 + random.nextInt(json.size()))
                            .text())
                    .isEqualTo(text.toString(UTF_8));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void readWhenNestingIsDeepNeedsNoStack(String open) throws IOException {
        String close = open.equals("[") ? "]" : "}";
        String nest = open.repeat(DEEP) + "1" + close.repeat(DEEP);
        byte[] json = ("{\"metadata\":{\"name\":\"n\",\"labels\":" + nest + "},\"spec\":" + nest + "}").getBytes(UTF_8);

        ItemReader item = new ItemReader(true);
        item.read(stream(json));
        MutableHeader header = new HeaderReader(new StringInterner())
                .read(item.object().array(), item.metadataStart(), item.metadataEnd());

        assertThat(item.object().size()).isEqualTo(json.length);
        assertThat(header.name()).isEqualTo("n");
        byte[] unclosed = open.repeat(DEEP).getBytes(UTF_8);
        assertThatThrownBy(() -> stream(unclosed).skip()).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "9223372036854775807",
                "-9223372036854775808",
                "9223372036854775808",
                "1e3",
                "1.5",
                "1e400",
                "-0.0",
                "1E+2",
                "123456789012345678901234567890",
                "1e-999999999",
                "1e999999999",
                "12.0"
            })
    void numberWhenItDoesNotFitIsZero(String text) throws IOException {
        byte[] json = text.getBytes(UTF_8);
        long expected;
        try {
            expected = new BigDecimal(text).longValueExact();
        } catch (ArithmeticException e) {
            expected = 0;
        }
        assertThat(stream(json).number()).isEqualTo(expected);
        ByteBuilder copy = new ByteBuilder(1);
        stream(json, 1).copyValue(copy);
        assertThat(copy.toString()).isEqualTo(text);
    }

    @Test
    void numberWhenItHasAMillionDigitsIsZero() throws IOException {
        assertThat(stream("9".repeat(1_000_000).getBytes(UTF_8)).number()).isZero();
    }

    @Test
    void headerWhenNamesRepeatHasTheLastValues() throws IOException {
        byte[] json =
                ("{\"metadata\":{\"name\":\"first\",\"labels\":{\"a\":\"1\"}},\"metadata\":{\"name\":\"x\",\"name\":\"n\","
                                + "\"labels\":{\"a\":\"1\",\"b\":\"2\",\"a\":\"3\"}}}")
                        .getBytes(UTF_8);
        ItemReader item = new ItemReader(false);
        item.read(stream(json));
        MutableHeader header = new HeaderReader(new StringInterner())
                .read(item.object().array(), item.metadataStart(), item.metadataEnd());

        JsonNode expected = mapper.readTree(json).path("metadata");
        assertThat(header.name()).isEqualTo(expected.path("name").asText()).isEqualTo("n");
        assertThat(header.labelMap()).isEqualTo(Map.of("a", "3", "b", "2"));
        assertThat(expected.path("labels").path("a").asText()).isEqualTo("3");
    }

    @Test
    void readWhenStreamStartsWithAByteOrderMarkIgnoresIt() throws IOException {
        byte[] json = "\ufeff{\"a\":1}".getBytes(UTF_8);
        List<Integer> splits = new ArrayList<>(List.of(1, 2, 3, 4, json.length));
        for (int split : splits) {
            assertThat(walk(stream(json, split, split + 1))).isEqualTo(mapper.readTree("{\"a\":1}"));
        }
    }
}
