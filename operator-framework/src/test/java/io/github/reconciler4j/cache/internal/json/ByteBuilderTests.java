package io.github.reconciler4j.cache.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteBuilderTests {

    private static final int LARGE = 3 << 20;

    @Test
    void contentIsWhatWasAppendedInPartsOfAnySize() {
        Random random = new Random(1);
        ByteBuilder builder = new ByteBuilder(1);
        for (int round = 0; round < 50; round++) {
            builder.clear();
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (int i = random.nextInt(20); i >= 0; i--) {
                byte[] part = new byte[random.nextInt(300)];
                random.nextBytes(part);
                int start = random.nextInt(part.length + 1);
                builder.append(part, start, part.length - start);
                expected.write(part, start, part.length - start);
                builder.append('x');
                expected.write('x');
            }
            assertThat(builder.size()).isEqualTo(expected.size());
            assertThat(builder.toArray()).isEqualTo(expected.toByteArray());
            assertThat(builder.contentEquals(expected.toByteArray())).isTrue();
            ByteBuilder copy = new ByteBuilder(0);
            copy.append(builder);
            assertThat(copy.toArray()).isEqualTo(expected.toByteArray());
            copy.append('x');
            assertThat(copy.contentEquals(expected.toByteArray())).isFalse();
        }
    }

    @Test
    void clearKeepsTheMemoryOfUsualContentAndFreesThatOfALargeOne() {
        ByteBuilder builder = new ByteBuilder(64);
        builder.append("usual".getBytes(UTF_8), 0, 5);
        byte[] usual = builder.array();
        builder.clear();
        assertThat(builder.size()).isZero();
        assertThat(builder.array()).isSameAs(usual);

        builder.append(new byte[LARGE], 0, LARGE);
        builder.clear();
        assertThat(builder.array()).hasSizeLessThan(LARGE / 10);
        builder.append('x');
        assertThat(builder).hasToString("x");
    }
}
