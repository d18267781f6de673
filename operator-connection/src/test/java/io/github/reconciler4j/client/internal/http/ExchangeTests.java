package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExchangeTests {

    private static final long NEVER = Exchange.NEVER;

    private final SocketChannel channel = SocketChannel.open();

    ExchangeTests() throws IOException {}

    @AfterEach
    void close() throws IOException {
        channel.close();
    }

    private Exchange exchange(long deadline, long connectDeadline) {
        Exchange exchange = new Exchange(deadline);
        exchange.use(channel);
        if (connectDeadline != NEVER) {
            exchange.connectUntil(connectDeadline);
        }
        return exchange;
    }

    /** Time limits are compared as those of the system clock, which can be negative. */
    @ParameterizedTest
    @CsvSource({
        "never, never, never",
        "100, never, 100",
        "never, 50, 50",
        "100, 50, 50",
        "50, 100, 50",
        "-50, 100, -50",
        "100, -50, -50"
    })
    void deadlineIsTheEarlierOfBoth(String total, String connect, String next) {
        Exchange exchange = exchange(time(total), time(connect));
        assertThat(exchange.deadline()).isEqualTo(time(next));
        exchange.connected();
        assertThat(exchange.deadline()).isEqualTo(time(total));
        exchange.removeDeadline();
        assertThat(exchange.deadline()).isEqualTo(NEVER);
    }

    private static long time(String text) {
        return text.equals("never") ? NEVER : Long.parseLong(text);
    }

    @ParameterizedTest
    @CsvSource({"100, 100, true", "100, 101, true", "100, 99, false", "never, 99, false"})
    void exchangeWhenItsTimeIsUpIsEnded(String deadline, long now, boolean ended) {
        Exchange exchange = exchange(time(deadline), NEVER);
        exchange.expire(now);
        assertThat(channel.isOpen()).isEqualTo(!ended);
        assertThat(exchange.isConnectExpired()).isFalse();
        if (ended) {
            assertThatThrownBy(exchange::check).isExactlyInstanceOf(SocketTimeoutException.class);
        } else {
            assertThatCode(exchange::check).doesNotThrowAnyException();
        }
    }

    @Test
    void exchangeWhenTheTimeToConnectIsUpIsEndedAndHasNotExpired() throws IOException {
        Exchange exchange = exchange(100, 50);
        exchange.expire(50);
        assertThat(channel.isOpen()).isFalse();
        assertThat(exchange.isConnectExpired()).isTrue();
        exchange.check();
    }

    @Test
    void exchangeWhenAbortedIsEnded() throws IOException {
        Exchange exchange = exchange(NEVER, NEVER);
        assertThat(exchange.isAborted()).isFalse();
        exchange.abort();
        assertThat(exchange.isAborted()).isTrue();
        assertThat(channel.isOpen()).isFalse();
        exchange.check();
    }

    @Test
    void channelOfAnExchangeThatHasEndedIsClosedAtOnce() throws IOException {
        usesAndCloses(NEVER, NEVER, Exchange::abort);
        usesAndCloses(100, NEVER, ended -> ended.expire(100));
        usesAndCloses(NEVER, 100, ended -> ended.expire(100));
    }

    private static void usesAndCloses(long deadline, long connectDeadline, Consumer<Exchange> end) throws IOException {
        Exchange exchange = new Exchange(deadline);
        exchange.connectUntil(connectDeadline);
        end.accept(exchange);
        try (SocketChannel late = SocketChannel.open()) {
            exchange.use(late);
            assertThat(late.isOpen()).isFalse();
        }
    }

    @Test
    void checkWhenTheThreadIsInterruptedThrowsAndKeepsTheFlag() {
        Exchange exchange = exchange(NEVER, NEVER);
        Thread.currentThread().interrupt();
        assertThatThrownBy(exchange::check).isExactlyInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
