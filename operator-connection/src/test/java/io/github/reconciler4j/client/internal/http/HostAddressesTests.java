package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class HostAddressesTests {

    private static final InetAddress[] LOOPBACK = {InetAddress.getLoopbackAddress()};

    private static long in(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1,true",
        "::1,true",
        "fe80::1%eth0,true",
        "09.9.0.9,true",
        "1/2,false",
        "kubernetes.default.svc,false",
        "10.example,false"
    })
    void isAddressDistinguishesAddressesFromNames(String host, boolean address) {
        assertThat(HostAddresses.isAddress(host)).isEqualTo(address);
    }

    @Test
    void addressNeedsNoThread() throws Exception {
        Thread[] used = new Thread[1];
        new HostAddresses(host -> {
                    used[0] = Thread.currentThread();
                    return LOOPBACK;
                })
                .of("127.0.0.1", in(10_000));
        assertThat(used[0]).isSameAs(Thread.currentThread());
    }

    @Test
    void nameWhenKnownReturnsItsAddresses() throws Exception {
        HostAddresses addresses = new HostAddresses(host -> {
            assertThat(Thread.currentThread().isDaemon()).isTrue();
            return LOOPBACK;
        });
        assertThat(addresses.of("server.test", in(10_000))).isEqualTo(LOOPBACK);
    }

    @Test
    void nameWhenLookupFailsOtherwiseKeepsTheCause() {
        HostAddresses addresses = new HostAddresses(host -> {
            throw new SecurityException("no");
        });
        assertThat(catchThrowable(() -> addresses.of("server.test", in(10_000))))
                .isExactlyInstanceOf(IOException.class)
                .hasCauseInstanceOf(SecurityException.class);
    }

    @Test
    void nameWhenUnknownSaysSo() {
        HostAddresses addresses = new HostAddresses(host -> {
            throw new UnknownHostException(host);
        });
        assertThat(catchThrowable(() -> addresses.of("server.test", in(10_000))))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.problem()).isEqualTo(Problem.UNKNOWN_HOST));
    }

    @Test
    void nameWhenLookupHangsFailsAtTheLimit() {
        CountDownLatch never = new CountDownLatch(1);
        assertThat(catchThrowable(() -> hanging(never).of("server.test", in(50))))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.problem()).isEqualTo(Problem.CONNECT_TIMEOUT));
        never.countDown();
    }

    @Test
    void nameWhenThreadIsInterruptedFailsAtOnceAndKeepsTheFlag() {
        CountDownLatch never = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        assertThat(catchThrowable(() -> hanging(never).of("server.test", in(50_000))))
                .isExactlyInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        never.countDown();
    }

    private static HostAddresses hanging(CountDownLatch until) {
        return new HostAddresses(host -> {
            try {
                until.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return LOOPBACK;
        });
    }
}
