package io.github.reconciler4j.cache.internal.storage;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeflaterPoolTests {

    private static final int RESERVE = 4;

    private final DeflaterPool pool = new DeflaterPool();

    @AfterEach
    void close() {
        pool.close();
    }

    /** Around the sizes at which its buffers grow, compressible or not, with compressors that have done other work before. */
    @Test
    void inflateReturnsWhatWasDeflated() {
        Random random = new Random(3);
        for (int size : new int[] {0, 1, 100, 8187, 8188, 8192, 20_000, 300_000, 600_000, 50}) {
            byte[] noise = new byte[size + 10];
            random.nextBytes(noise);
            for (byte[] text : new byte[][] {noise, new byte[size + 10]}) {
                byte[] deflated = pool.deflate(text, size, RESERVE);
                assertThat(pool.inflate(deflated, RESERVE, size)).isEqualTo(Arrays.copyOf(text, size));
            }
            assertThat(pool.deflate(new byte[size], size, RESERVE)).hasSizeLessThan(20 + size / 100);
        }
    }

    @Test
    void inflateWhenWhatIsStoredIsDamagedFailsAndWorksAgain() {
        byte[] text = "apps.example.io/v1 apps.example.io/v1".getBytes(US_ASCII);
        byte[] deflated = pool.deflate(text, text.length, RESERVE);
        for (int attempt = 0; attempt < 10; attempt++) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> pool.inflate(deflated, RESERVE, text.length + 1))
                    .withMessage("A stored object is shorter than when it was stored");
            byte[] damaged = deflated.clone();
            Arrays.fill(damaged, RESERVE, damaged.length, (byte) 0xff);
            assertThatIllegalStateException()
                    .isThrownBy(() -> pool.inflate(damaged, RESERVE, text.length))
                    .withMessage("A stored object cannot be inflated");
            assertThat(pool.inflate(deflated, RESERVE, text.length)).isEqualTo(text);
        }
    }

    @Test
    void poolThatWasClosedWorksOn() {
        byte[] text = "apps".repeat(100).getBytes(US_ASCII);
        byte[] deflated = pool.deflate(text, text.length, 0);
        pool.close();
        pool.close();
        assertThat(pool.deflate(text, text.length, 0)).isEqualTo(deflated);
        assertThat(pool.inflate(deflated, 0, text.length)).isEqualTo(text);
    }
}
