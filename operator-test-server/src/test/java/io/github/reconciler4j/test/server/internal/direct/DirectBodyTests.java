package io.github.reconciler4j.test.server.internal.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DirectBodyTests {

    private final AtomicInteger rooms = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();
    private final DirectBody body = new DirectBody(rooms::incrementAndGet, closes::incrementAndGet);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void readWhenTheBodyIsCompleteReturnsItsParts() throws IOException {
        assertThat(DirectBody.of(List.of(bytes("one "), new byte[0], bytes("two")))
                        .readAllBytes())
                .isEqualTo(bytes("one two"));
    }

    @Test
    void readWhenTheBodyBreaksOffReturnsHalfOfItAndFails() throws IOException {
        DirectBody half = DirectBody.ofHalf(List.of(bytes("abcd"), bytes("efgh")));

        assertThat(half.readNBytes(4)).isEqualTo(bytes("abcd"));
        assertThatThrownBy(half::read)
                .isInstanceOf(SocketException.class)
                .hasMessage("The connection ended after 4 of 8 bytes of the response");
    }

    @Test
    void readWhenNothingArrivesInTimeFails() {
        body.idleTimeout(Duration.ofMillis(1));
        assertThatThrownBy(body::read).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void readWhenTheThreadIsInterruptedFailsAndKeepsTheFlag() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(body::read).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void readWhenTheBodyWasFullMakesRoomOnce() throws IOException {
        body.add(new byte[65 * 1024]);
        assertThat(body.hasRoom()).isFalse();

        body.readNBytes(1024);
        assertThat(rooms).hasValue(0);
        body.readNBytes(1024);
        body.readNBytes(1024);

        assertThat(body.hasRoom()).isTrue();
        assertThat(rooms).hasValue(1);
    }

    @Test
    void readWhenTheReaderHasClosedItFails() {
        body.add(bytes("late"));
        body.close();
        body.close();

        assertThatThrownBy(body::read).isInstanceOf(SocketException.class);
        assertThat(body.hasRoom()).isFalse();
        assertThat(closes).hasValue(1);
    }

    @Test
    void readWhenItEndedReturnsWhatWasThereAndThenTheEnd() throws IOException {
        body.add(bytes("x"));
        body.end();
        body.fail("too late");

        assertThat(body.available()).isOne();
        assertThat(body.read()).isEqualTo('x');
        assertThat(body.read()).isEqualTo(-1);
    }
}
