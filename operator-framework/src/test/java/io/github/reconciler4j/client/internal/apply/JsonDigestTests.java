package io.github.reconciler4j.client.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonDigestTests {

    private final ObjectMapper mapper = new ObjectMapper();

    private JsonNode tree(String json) throws Exception {
        return mapper.readTree(json.replace('\'', '"'));
    }

    private JsonDigest.Value digest(String json) throws Exception {
        return JsonDigest.of(tree(json), "");
    }

    @Test
    void orderOfMembersDoesNotMatterAndOrderOfEntriesDoes() throws Exception {
        assertThat(digest("{'a':1,'b':{'c':2,'d':3}}")).isEqualTo(digest("{'b':{'d':3,'c':2},'a':1}"));
        assertThat(digest("{'a':[1,2]}")).isNotEqualTo(digest("{'a':[2,1]}"));
    }

    @Test
    void valuesThatLookAlikeDiffer() throws Exception {
        assertThat(digest("{'a':'1'}")).isNotEqualTo(digest("{'a':1}"));
        assertThat(digest("{'a':{}}")).isNotEqualTo(digest("{'a':[]}"));
        assertThat(digest("{'ab':'c'}")).isNotEqualTo(digest("{'a':'bc'}"));
        assertThat(JsonDigest.of(tree("{}"), "x")).isNotEqualTo(JsonDigest.of(tree("{}"), "y"));
    }

    @Test
    void structuresThatLookAlikeDiffer() throws Exception {
        assertThat(digest("{'a':{'b':1},'c':2}")).isNotEqualTo(digest("{'a':{'b':1,'c':2}}"));
        assertThat(digest("[[[1],2]]")).isNotEqualTo(digest("[[1],[2]]"));
        assertThat(digest("[[1],2]")).isNotEqualTo(digest("[[1,2]]"));
        assertThat(digest("{'a':1}")).isNotEqualTo(digest("{'b':1}"));
        assertThat(digest("[null]")).isNotEqualTo(digest("[]"));
    }

    /** A text can contain what looks like the start of the next one. */
    @Test
    void textsThatLookAlikeDiffer() throws Exception {
        String start = "s\0\0\0{"; // of a text of 123 bytes
        String text = "x".repeat(123);
        assertThat(texts("a", "b")).isNotEqualTo(texts("asb"));
        assertThat(texts("a", "b")).isNotEqualTo(texts("as\0\0\0b"));
        assertThat(texts("a", text, text)).isNotEqualTo(texts("a" + start + text + start + text));
    }

    private JsonDigest.Value texts(String... texts) {
        return JsonDigest.of(mapper.valueToTree(texts), "");
    }

    @Test
    void maskedDigestSeesOnlyWhatTheMaskHas() throws Exception {
        JsonNode mask = tree("{'spec':{'replicas':1,'list':[1]}}");
        JsonDigest.Value value =
                JsonDigest.ofMasked(tree("{'spec':{'replicas':2,'list':[1,2],'x':1},'status':{}}"), mask);
        assertThat(JsonDigest.ofMasked(tree("{'spec':{'x':9,'list':[1,2],'replicas':2}}"), mask))
                .isEqualTo(value);
        assertThat(JsonDigest.ofMasked(tree("{'spec':{'replicas':3,'list':[1,2]}}"), mask))
                .isNotEqualTo(value);
        assertThat(JsonDigest.ofMasked(tree("{'spec':{'replicas':2,'list':[1]}}"), mask))
                .isNotEqualTo(value);
        assertThat(JsonDigest.ofMasked(tree("{'spec':{'list':[1,2]}}"), mask)).isNotEqualTo(value);
        assertThat(JsonDigest.ofMasked(tree("{'a':'b'}"), tree("{'a':{'x':1}}")))
                .isNotEqualTo(JsonDigest.ofMasked(tree("{'a':{'x':'b'}}"), tree("{'a':{'x':1}}")));
    }

    /** The vectors that the authors of SipHash publish, with their key; the long ones are those of another implementation. */
    @ParameterizedTest
    @CsvSource({
        "0, a3817f04ba25a8e66df67214c7550293",
        "1, da87c1d86b99af44347659119b22fc45",
        "7, a1f1ebbed8dbc153c0b84aa61ff08239",
        "8, 3b62a9ba6258f5610f83e264f31497b4",
        "15, 5493e99933b0a8117e08ec0f97cfc3d9",
        "512, 5c0015d27aa522b0578c152b5a0ed90b",
        "513, edb095af649c3986c37f9dbdc02c409b",
        "1031, 87818b17592095016e3ccc1746ebdd2c"
    })
    void digestOfBytesIsThatOfSipHash(int length, String expected) {
        assertThat(hex(digestOf(bytes(length), length + 1))).isEqualTo(expected);
    }

    @Test
    void digestDoesNotDependOnHowBytesArrive() {
        for (int length : new int[] {511, 512, 513, 1023, 1024, 1025, 5000}) {
            JsonDigest.Value whole = digestOf(bytes(length), length);
            for (int piece : new int[] {1, 7, 8, 500, 512, 600}) {
                assertThat(digestOf(bytes(length), piece))
                        .as("%d bytes, %d at a time", length, piece)
                        .isEqualTo(whole);
            }
            byte[] other = bytes(length);
            other[length - 1]++;
            assertThat(digestOf(other, length)).isNotEqualTo(whole);
        }
    }

    /** What is left in the buffer of earlier bytes must not get into the last word. */
    @Test
    void digestOfMoreBytesThanTheBufferHoldsIsThatOfSipHash() {
        for (int length = 500; length < 1040; length++) {
            byte[] bytes = bytes(length);
            for (int i = 0; i < length; i++) {
                bytes[i] |= 1;
            }
            assertThat(digestOf(bytes, length)).as("%d bytes", length).isEqualTo(reference(bytes));
        }
        assertThat(hex(reference(bytes(15)))).isEqualTo("5493e99933b0a8117e08ec0f97cfc3d9");
    }

    /** SipHash-2-4 of 128 bits as its authors describe it, with the key of {@link #digestOf}. */
    private static JsonDigest.Value reference(byte[] bytes) {
        byte[] padded = Arrays.copyOf(bytes, (bytes.length / Long.BYTES + 1) * Long.BYTES);
        padded[padded.length - 1] = (byte) bytes.length;
        ByteBuffer words = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
        long[] v = {0x7469686173716475L, 0x6b617f6d656e6665L ^ 0xee, 0x6b7f62616d677361L, 0x7b6b696e727e6c7bL};
        while (words.hasRemaining()) {
            long word = words.getLong();
            v[3] ^= word;
            rounds(v, 2);
            v[0] ^= word;
        }
        v[2] ^= 0xee;
        rounds(v, 4);
        long first = v[0] ^ v[1] ^ v[2] ^ v[3];
        v[1] ^= 0xdd;
        rounds(v, 4);
        return new JsonDigest.Value(first, v[0] ^ v[1] ^ v[2] ^ v[3]);
    }

    private static void rounds(long[] v, int count) {
        for (int i = 0; i < count; i++) {
            v[0] += v[1];
            v[2] += v[3];
            v[1] = Long.rotateLeft(v[1], 13) ^ v[0];
            v[3] = Long.rotateLeft(v[3], 16) ^ v[2];
            v[0] = Long.rotateLeft(v[0], 32);
            v[2] += v[1];
            v[0] += v[3];
            v[1] = Long.rotateLeft(v[1], 17) ^ v[2];
            v[3] = Long.rotateLeft(v[3], 21) ^ v[0];
            v[2] = Long.rotateLeft(v[2], 32);
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    private static JsonDigest.Value digestOf(byte[] bytes, int piece) {
        JsonDigest digest = new JsonDigest(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
        for (int start = 0; start < bytes.length; start += piece) {
            if (piece == 1) {
                digest.put((int) bytes[start]);
                continue;
            }
            digest.put(Arrays.copyOfRange(bytes, start, Math.min(start + piece, bytes.length)));
        }
        return digest.value();
    }

    private static String hex(JsonDigest.Value value) {
        return HexFormat.of()
                .formatHex(ByteBuffer.allocate(2 * Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value.high())
                        .putLong(value.low())
                        .array());
    }
}
