package io.github.reconciler4j.cache.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that the reader decodes itself, and inputs that end or continue where they should not. */
@Timeout(60)
class JsonReaderTests {

    private final StringInterner strings = new StringInterner();

    private JsonReader of(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return new JsonReader(bytes, bytes.length);
    }

    /** A reader of a stream whose reads return so many bytes. */
    private JsonReader inPieces(String text, int size) {
        InputStream in = new ByteArrayInputStream(text.getBytes(UTF_8)) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                return super.read(to, offset, Math.min(length, size));
            }
        };
        return new JsonReader(in, strings);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            17                   | 17
            -9223372036854775808 | -9223372036854775808
            1e3                  | 1000
            1.0                  | 1
            "17"                 | 17
            "1e3"                | 1000
            1.5                  | 0
            9223372036854775808  | 0
            1e400                | 0
            null                 | 0
            "x"                  | 0
            {"a":1}              | 0
            [1]                  | 0
            """)
    void numberIsTheWholeNumberOrZero(String json, long expected) throws IOException {
        assertThat(of(json).number()).isEqualTo(expected);
        assertThat(inPieces(json, 1).number()).isEqualTo(expected);
    }

    /** Numbers of any length and exponent cost no time. */
    @Test
    void numberWhenItIsLongIsZeroAtOnce() throws IOException {
        assertThat(of("1" + "0".repeat(100_000) + "e-100000").number()).isZero();
        assertThat(of("1e999999999").number()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 100_000})
    void textIsThatOfAnotherReaderHoweverItArrives(int pieces) throws IOException {
        ObjectMapper other = new ObjectMapper();
        for (String json : new String[] {
            "\"\"",
            "\"plain text\"",
            "\"~\u007f\"",
            "\"\u00fc\"",
            "\"a\u20acb\ud83d\ude00\"",
            "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
            "\"x\\u00e4\\u20AC\\uabcd\\uFFFFy\"",
            "\"" + "long ".repeat(20_000) + "\""
        }) {
            String expected = other.readValue(json, String.class);
            assertThat(inPieces(json, pieces).text()).isEqualTo(expected);
            assertThat(inPieces(json, pieces).sharedText()).isEqualTo(expected);
            assertThat(of(json).text()).isEqualTo(expected);
        }
    }

    @Test
    void sharedTextIsOneInstanceInEachForm() throws IOException {
        String text = inPieces("\"app\"", 100).sharedText();
        assertThat(inPieces("\"app\"", 100).sharedText()).isSameAs(text);
        assertThat(inPieces("\"app\"", 1).sharedText()).isSameAs(text);
        assertThat(inPieces("\"\\u0061pp\"", 100).sharedText()).isSameAs(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\\u12\"", "\"\\u12g4\"", "\"\\u\uff11234\"", "\"\\q\"", "\"\\u123\""})
    void textWhenAnEscapeIsWrongIsRefused(String json) {
        assertThatThrownBy(() -> of(json).text())
                .isInstanceOf(StreamCorruptedException.class)
                .hasMessageContaining("an escape is");
    }

    /** What follows in the array belongs to another object. */
    @Test
    void textWhenItIsCutByTheEndOfItsPartIsRefused() {
        byte[] text = "\"name\"".getBytes(UTF_8);
        for (int end = 1; end < text.length; end++) {
            JsonReader reader = new JsonReader(text, end);
            assertThatThrownBy(reader::text).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void fieldWhenAPartIsMissingNamesItOrSaysThatTheInputEnds() {
        for (String ended :
                new String[] {"{", "{\"a\"", "{\"a\":1", "{\"a\":1,", "{\"a\":", "{\"a\":\"b", "{\"a\":[1"}) {
            assertThatThrownBy(() -> readAll(of(ended)))
                    .as(ended)
                    .isInstanceOf(EOFException.class)
                    .hasMessage("the response ends in the middle of an object");
        }
        assertThatThrownBy(() -> readAll(of("{\"a\" 1}"))).hasMessageContaining("':' is missing");
        assertThatThrownBy(() -> readAll(of("{\"a\":1 \"b\":2}"))).hasMessageContaining("',' is missing");
        assertThatThrownBy(() -> readAll(of("{a:1}"))).hasMessageContaining("'\"' is missing");
        assertThatThrownBy(() -> readAll(of("{\"a\":,\"b\":1}"))).hasMessageContaining("a value is missing");
        assertThatThrownBy(() -> readAll(of("{\"a\":}"))).hasMessageContaining("a value is missing");
    }

    private static void readAll(JsonReader reader) throws IOException {
        reader.open('{');
        for (String name = reader.nextName(); name != null; name = reader.nextName()) {
            reader.skip();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            true,7   | true
            NaN]     | NaN
            tru}     | tru
            7        | 7
            -1.5e7 } | -1.5e7
            tr\u00fce,7 | tr\u00fce
            """)
    void scalarIsCopiedAsItStandsToItsEnd(String json, String expected) throws IOException {
        for (int pieces : new int[] {1, 2, 100}) {
            ByteBuilder copy = new ByteBuilder(1);
            inPieces(json, pieces).copyValue(copy);
            assertThat(copy).hasToString(expected);
        }
        ByteBuilder copy = new ByteBuilder(1);
        of(json).copyValue(copy);
        assertThat(copy).hasToString(expected);
        assertThat(of(expected).isTrue()).isEqualTo(expected.equals("true"));
    }

    /** Neither many small nor few large parts of white space keep a stream alive. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void whiteSpaceWithoutEndIsRefusedSoon(int size) {
        AtomicInteger reads = new AtomicInteger();
        AtomicInteger bytes = new AtomicInteger();
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return ' ';
            }

            @Override
            public int read(byte[] to, int offset, int length) {
                int count = Math.min(length, size);
                Arrays.fill(to, offset, offset + count, (byte) ' ');
                reads.incrementAndGet();
                bytes.addAndGet(count);
                return count;
            }
        };
        assertThatThrownBy(() -> new JsonReader(endless, strings).peek())
                .isInstanceOf(StreamCorruptedException.class)
                .hasMessageContaining("white space without end");
        assertThat(reads).hasValueBetween(10, 1100);
        assertThat(bytes).hasValueLessThan(1200 * 1024);
    }
}
