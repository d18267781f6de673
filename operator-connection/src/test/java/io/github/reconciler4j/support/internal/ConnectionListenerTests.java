package io.github.reconciler4j.support.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.support.internal.ConnectionListener.Phase;
import io.github.reconciler4j.support.internal.ConnectionListener.Progress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionListenerTests {

    private static final int MAX_CONNECTIONS = 4;
    private static final int MAX_THREADS = 6;
    private static final Phase WAITING = new Phase(Duration.ofSeconds(50), true, false);
    private static final Phase WORKING = new Phase(Duration.ofSeconds(50), false, true);
    private static final Phase SHORT = new Phase(Duration.ofMillis(10), true, false);

    private final List<Socket> sockets = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger ignoring = new AtomicInteger();
    private final ConnectionListener listener = open();

    private ConnectionListener open() {
        ConnectionListener.Settings settings = new ConnectionListener.Settings(
                "test-server", new InetSocketAddress("127.0.0.1", 0), MAX_CONNECTIONS, MAX_THREADS, true, WAITING);
        try {
            return ConnectionListener.open(settings, this::serve, e -> {});
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Do what each byte asks for, and answer with the byte. */
    private void serve(Socket socket, Progress progress) throws IOException {
        for (int command = socket.getInputStream().read();
                command >= 0;
                command = socket.getInputStream().read()) {
            switch (command) {
                case 'w' -> progress.enter(WORKING);
                case 's' -> progress.enter(SHORT);
                case 'i' -> ignoreInterrupts();
                default -> progress.enter(WAITING);
            }
            socket.getOutputStream().write(progress.isLast() ? 'L' : command);
        }
    }

    private void ignoreInterrupts() {
        ignoring.incrementAndGet();
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException e) {
                // the code of an operator can do that
            }
        }
    }

    @AfterEach
    void close() throws IOException {
        released.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        listener.close();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("test-server")));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket("127.0.0.1", listener.port());
        sockets.add(socket);
        return socket;
    }

    private static int send(Socket socket, char command) throws IOException {
        try {
            socket.getOutputStream().write(command);
            return socket.getInputStream().read();
        } catch (SocketException e) {
            return -1; // closed by the other side
        }
    }

    private Socket connect(char command) throws IOException {
        Socket socket = connect();
        assertThat(send(socket, command)).isEqualTo(command);
        return socket;
    }

    private static boolean isClosed(Socket socket) {
        try {
            return send(socket, 'r') < 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void connectionWhenOneTooManyReplacesTheOneWaitingLongest() throws IOException {
        Socket busy = connect('w');
        Socket oldest = connect('r');
        Socket renewed = connect('r');
        connect('r');
        Socket other = connect('r');
        assertThat(isClosed(oldest)).isTrue();
        assertThat(isClosed(renewed)).isFalse();
        assertThat(isClosed(other)).isFalse();
        assertThat(send(busy, 'w')).isEqualTo('w');
        assertThat(listener.connections()).isEqualTo(MAX_CONNECTIONS);
    }

    @Test
    void connectionWhenAllOthersAreBusyIsClosed() throws IOException {
        List<Socket> busy = new ArrayList<>();
        for (int i = 0; i < MAX_CONNECTIONS; i++) {
            busy.add(connect('w'));
        }
        assertThat(isClosed(connect())).isTrue();
        for (Socket socket : busy) {
            assertThat(send(socket, 'w')).isEqualTo('w');
        }
        assertThat(listener.isBusy()).isTrue();
        assertThat(send(busy.get(0), 'r')).isEqualTo('r');
        connect('r');
        assertThat(isClosed(busy.get(0))).isTrue();
    }

    @Test
    void connectionWhenItsPhaseTakesTooLongIsClosedAlone() throws IOException {
        Socket other = connect('r');
        Socket slow = connect('s');
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(listener.connections()).isEqualTo(1));
        assertThat(slow.getInputStream().read()).isEqualTo(-1);
        assertThat(send(other, 'r')).isEqualTo('r');
    }

    @Test
    void connectionWhenThreadsIgnoreTheirInterruptIsClosed() throws IOException {
        for (int i = 1; i <= MAX_THREADS; i++) {
            connect().getOutputStream().write('i');
            int started = i;
            await().atMost(Duration.ofSeconds(30)).until(() -> ignoring.get() == started);
        }
        assertThat(isClosed(connect())).isTrue();
        released.countDown();
        await().atMost(Duration.ofSeconds(30)).until(() -> !isClosed(connect()));
    }

    @Test
    void connectionWhenDrainingLearnsThatItsResponseIsTheLast() throws IOException {
        Socket socket = connect('r');
        listener.drain();
        assertThat(send(socket, 'r')).isEqualTo('L');
        assertThat(send(connect(), 'r')).isEqualTo('L');
    }

    @Test
    void connectionWhenAcceptingHasStoppedContinuesUntilClose() throws IOException {
        Socket socket = connect('r');
        listener.stopAccepting();
        assertThat(send(socket, 'r')).isEqualTo('r');
        listener.close();
        assertThat(isClosed(socket)).isTrue();
    }
}
