package io.github.reconciler4j.cache.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.StreamCorruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The start of a stream, and white space in it. */
@Timeout(60)
class JsonReaderStreamTests {

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    /** Returns the first byte that is not white space, if reads return at most so many bytes. */
    private static int first(int chunk, byte[] text) throws IOException {
        InputStream slow = new ByteArrayInputStream(text) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                return super.read(to, offset, Math.min(chunk, length));
            }
        };
        return new JsonReader(slow, new StringInterner()).peek();
    }

    @Test
    void byteOrderMarkIsSkippedHoweverItArrives() throws IOException {
        for (int chunk = 1; chunk <= 5; chunk++) {
            assertThat(first(chunk, bytes(0xEF, 0xBB, 0xBF, '{', '}'))).isEqualTo('{');
            assertThat(first(chunk, bytes(0xEF, 0xBB, 0xBF))).isEqualTo(-1);
            assertThat(first(chunk, bytes('{', 0xBB, 0xBF))).isEqualTo('{');
        }
    }

    @Test
    void bytesThatAreNoByteOrderMarkAreNotSkipped() throws IOException {
        for (int chunk = 1; chunk <= 5; chunk++) {
            assertThat(first(chunk, bytes(0xEF))).isEqualTo(0xEF);
            assertThat(first(chunk, bytes(0xEF, 0xBB))).isEqualTo(0xEF);
            assertThat(first(chunk, bytes(0xEF, 0xBB, '{', '}'))).isEqualTo(0xEF);
            assertThat(first(chunk, bytes(0xEF, '{', 0xBF, '}'))).isEqualTo(0xEF);
            assertThat(first(chunk, bytes(' ', ' ', ' ', ' ', ' ', 0xEF, 0xBB, 0xBF, '{')))
                    .isEqualTo(0xEF);
        }
    }

    @Test
    void whiteSpaceWithoutEndIsRefusedAndSomeIsSkipped() throws IOException {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return ' ';
            }

            @Override
            public int read(byte[] to, int offset, int length) {
                to[offset] = '\n';
                return 1;
            }
        };
        assertThatThrownBy(() -> new JsonReader(endless, new StringInterner()).peek())
                .isInstanceOf(StreamCorruptedException.class)
                .hasMessageContaining("white space without end");
        InputStream some = new SequenceInputStream(
                new ByteArrayInputStream(" \t\r\n".repeat(100).getBytes()), new ByteArrayInputStream(bytes('{')));
        assertThat(new JsonReader(some, new StringInterner()).peek()).isEqualTo('{');
    }
}
