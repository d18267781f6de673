package io.github.reconciler4j.cache.internal.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Short texts that occur again are one instance, and whatever is shared equals what was given. */
class StringInternerTests {

    private final StringInterner strings = new StringInterner();

    private String ofBytes(String text) {
        byte[] bytes = ("<" + text + ">").getBytes(US_ASCII);
        return strings.share(bytes, 1, bytes.length - 2);
    }

    private static String copy(String text) {
        return new String(text.toCharArray());
    }

    @Test
    void shortTextIsOneInstanceWhereverItComesFrom() {
        for (String text : new String[] {"", "a", "app.kubernetes.io/name", "x".repeat(StringInterner.MAX_LENGTH)}) {
            String shared = ofBytes(text);
            assertThat(shared).isEqualTo(text);
            assertThat(ofBytes(text)).isSameAs(shared);
            assertThat(strings.share(copy(text))).isEqualTo(text);
            assertThat(strings.share(copy(text))).isSameAs(strings.share(copy(text)));
        }
        String first = strings.share(copy("first as a text"));
        assertThat(ofBytes("first as a text")).isSameAs(first);
    }

    /** One of the values that occur once, which must not replace those that occur often. */
    @Test
    void longTextIsNotShared() {
        String text = "x".repeat(StringInterner.MAX_LENGTH + 1);
        assertThat(ofBytes(text)).isEqualTo(text).isNotSameAs(ofBytes(text));
        String given = copy(text);
        assertThat(strings.share(given)).isSameAs(given);
        assertThat(strings.share(copy(text))).isNotSameAs(given);
    }

    @Test
    void textsThatResembleEachOtherStayApart() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 30_000; i++) {
                String text = "pod-" + i;
                assertThat(ofBytes(text)).isEqualTo(text);
                assertThat(strings.share(text)).isEqualTo(text);
            }
        }
    }

    /** Nearly all values of labels and namespaces of a cluster stay shared, although each place is that of several texts. */
    @Test
    void textsThatComeAgainInTurnMostlyStayShared() {
        String[] shared = new String[1500];
        for (int i = 0; i < shared.length; i++) {
            shared[i] = strings.share(copy("namespace-of-team-" + i));
        }
        int same = 0;
        for (int i = 0; i < shared.length; i++) {
            same += ofBytes("namespace-of-team-" + i) == shared[i] ? 1 : 0;
        }
        assertThat(same).isGreaterThan(shared.length * 95 / 100);
    }
}
