package io.github.reconciler4j.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IdleSocketsTests {

    private final AtomicLong now = new AtomicLong(1_000);
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private final IdleSockets idle = new IdleSockets(now::get, later::add);
    private final ServerSocket listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    private final List<Socket> accepted = new ArrayList<>();

    IdleSocketsTests() throws IOException {}

    private HttpSocket connect() throws IOException {
        SocketChannel channel = SocketChannel.open(listener.getLocalSocketAddress());
        accepted.add(listener.accept());
        return new HttpSocket(channel, channel.socket());
    }

    @AfterEach
    void close() throws IOException {
        idle.close();
        listener.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }

    @Test
    void takeReturnsTheOneUsedLast() throws IOException {
        HttpSocket first = connect();
        HttpSocket second = connect();
        idle.give(first);
        idle.give(second);
        assertThat(idle.take()).isSameAs(second);
        assertThat(idle.take()).isSameAs(first);
        assertThat(idle.take()).isNull();
    }

    @Test
    void takeLeavesOutWhatTheServerHasClosed() throws IOException {
        HttpSocket good = connect();
        HttpSocket bad = connect();
        idle.give(good);
        idle.give(bad);
        accepted.get(1).close();
        assertThat(idle.take()).isSameAs(good);
        assertThat(bad.channel().isOpen()).isFalse();
    }

    @Test
    void sweepEndsWhatNobodyTookForAMinute() throws IOException {
        HttpSocket old = connect();
        HttpSocket young = connect();
        idle.give(old);
        now.addAndGet(IdleSockets.LONGEST_NANOS / 2);
        idle.give(young);
        assertThat(later).hasSize(1);
        now.addAndGet(IdleSockets.LONGEST_NANOS / 2);
        later.remove().run();
        assertThat(old.channel().isOpen()).isFalse();
        assertThat(young.channel().isOpen()).isTrue();

        now.addAndGet(IdleSockets.LONGEST_NANOS);
        assertThat(later).hasSize(1);
        later.remove().run();
        assertThat(young.channel().isOpen()).isFalse();
        assertThat(later).isEmpty();
    }

    @Test
    void giveKeepsTheYoungest64() throws IOException {
        List<HttpSocket> all = new ArrayList<>();
        for (int i = 0; i < 66; i++) {
            all.add(connect());
            idle.give(all.get(i));
        }
        assertThat(all).filteredOn(socket -> socket.channel().isOpen()).isEqualTo(all.subList(2, 66));
    }

    @Test
    void endOlderThanSparesWhatWasGivenBackSince() throws IOException {
        HttpSocket before = connect();
        idle.give(before);
        HttpSocket after = connect();
        long start = now.addAndGet(1);
        idle.give(after);
        idle.endOlderThan(start);
        assertThat(before.channel().isOpen()).isFalse();
        assertThat(idle.take()).isSameAs(after);
    }

    @Test
    void closeEndsWhatIsThereAndWhatComesLater() throws IOException {
        HttpSocket before = connect();
        HttpSocket after = connect();
        idle.give(before);
        idle.close();
        idle.give(after);
        assertThat(before.channel().isOpen()).isFalse();
        assertThat(after.channel().isOpen()).isFalse();
        assertThat(idle.take()).isNull();
    }
}
