package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.client.internal.http.Exchange.Deadlines;
import io.github.reconciler4j.support.internal.Platform;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which exchanges the timer ends. */
@Timeout(60)
class DeadlinesTests {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(30);

    private final Deadlines deadlines = new Deadlines();

    private static long in(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private Exchange add(long millis) {
        Exchange exchange = new Exchange(in(millis));
        deadlines.add(exchange);
        return exchange;
    }

    private static boolean isExpired(Exchange exchange) {
        try {
            exchange.check();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitEnd(Exchange exchange) {
        await("the end of the exchange").atMost(TIME_LIMIT).until(() -> isExpired(exchange));
    }

    @Test
    void exchangesExpireInAnyOrderTheyWereAdded() {
        Exchange endless = new Exchange(Exchange.NEVER);
        deadlines.add(endless);
        Exchange late = add(3_600_000);
        Exchange last = add(60);
        Exchange first = add(20);
        awaitEnd(first);
        awaitEnd(last);
        awaitEnd(add(10));
        awaitEnd(add(-10));
        assertThat(isExpired(late)).isFalse();
        assertThat(isExpired(endless)).isFalse();
    }

    @Test
    void exchangeWhenRemovedDoesNotExpire() {
        Exchange removed = add(20);
        deadlines.remove(removed);
        awaitEnd(add(60));
        assertThat(isExpired(removed)).isFalse();
    }

    @Test
    void exchangeWhenItsTimeToConnectIsUpHasNotExpired() {
        Exchange exchange = add(3_600_000);
        deadlines.limit(exchange, in(20));
        await("the end of connecting").atMost(TIME_LIMIT).until(exchange::isConnectExpired);
        assertThat(isExpired(exchange)).isFalse();
    }

    @Test
    void closeAbortsAllAndThoseToCome() {
        Exchange before = new Exchange(Exchange.NEVER);
        deadlines.add(before);
        assertThat(before.isAborted()).isFalse();
        deadlines.close();
        assertThat(before.isAborted()).isTrue();
        Exchange after = new Exchange(Exchange.NEVER);
        deadlines.add(after);
        assertThat(after.isAborted()).isTrue();
    }

    @Test
    void exchangeWhenTheCheckOfAnotherCouldNotBeScheduledExpires() {
        Platform broken = new Platform() {
            @Override
            public void runLater(Runnable task, long nanos) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
        Platform.Replacement replacement = Platform.replace(broken);
        try {
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> add(10));
        } finally {
            replacement.close();
        }
        awaitEnd(add(20));
    }
}
