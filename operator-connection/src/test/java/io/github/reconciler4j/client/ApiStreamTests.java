package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.GoneException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Answers that are read as they come. */
class ApiStreamTests extends ApiConnectionFixture {

    private static void chunk(OutputStream out, String text) throws IOException {
        out.write((Integer.toHexString(text.length()) + "\r\n" + text + "\r\n").getBytes());
        out.flush();
    }

    private static void chunkedHead(OutputStream out) throws IOException {
        out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes());
        out.flush();
    }

    @Test
    void streamWhenBytesArriveReturnsThemAsTheyCome() throws Exception {
        CountDownLatch next = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    chunkedHead(out);
                    chunk(out, "one");
                    next.await();
                    chunk(out, "two");
                    out.write("0\r\n\r\n".getBytes());
                });
                ApiConnection connection = open(server.config());
                ApiStream stream = connection.stream(GET)) {
            assertThat(new String(stream.readNBytes(3))).isEqualTo("one");
            next.countDown();
            assertThat(new String(stream.readAllBytes())).isEqualTo("two");
            assertThat(stream.read()).isEqualTo(-1);
        }
    }

    @Test
    void streamWhenIdleForTooLongThrowsAndCanBeReadOn() throws Exception {
        CountDownLatch next = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    chunkedHead(out);
                    next.await();
                    chunk(out, "x");
                    ScriptedServer.stall();
                });
                ApiConnection connection = open(server.config());
                ApiStream stream = connection.stream(GET)) {
            stream.idleTimeout(Duration.ofMillis(100));
            assertThatThrownBy(stream::read).isInstanceOf(SocketTimeoutException.class);
            next.countDown();
            stream.idleTimeout(Duration.ofSeconds(30));
            assertThat(stream.read()).isEqualTo('x');
        }
    }

    @Test
    void streamWhenClosedByAnotherThreadEndsTheBlockedRead() throws Exception {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    chunkedHead(out);
                    ScriptedServer.stall();
                });
                ApiConnection connection = open(server.config())) {
            ApiStream stream = connection.stream(GET);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread reader = new Thread(() -> failure.set(catchThrowable(stream::read)));
            reader.start();
            await("reader to block").atMost(Duration.ofSeconds(30)).until(() -> waits(reader));
            stream.close();
            reader.join(30_000);
            assertThat(failure.get()).isInstanceOf(IOException.class).hasMessageContaining("closed");
        }
    }

    @Test
    void streamWhenReaderIsInterruptedThrowsInterruptedIoException() throws Exception {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    chunkedHead(out);
                    ScriptedServer.stall();
                });
                ApiConnection connection = open(server.config());
                ApiStream stream = connection.stream(GET)) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread reader = new Thread(() -> failure.set(catchThrowable(stream::read)));
            reader.start();
            await("reader to block").atMost(Duration.ofSeconds(30)).until(() -> waits(reader));
            reader.interrupt();
            reader.join(30_000);
            assertThat(failure.get()).isExactlyInstanceOf(InterruptedIOException.class);
        }
    }

    @Test
    void streamWhenConnectionIsCutThrowsInsteadOfEnding() throws Exception {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    chunkedHead(out);
                    chunk(out, "half");
                    throw new IOException("cut");
                });
                ApiConnection connection = open(server.config());
                ApiStream stream = connection.stream(GET)) {
            assertThat(new String(stream.readNBytes(4))).isEqualTo("half");
            assertThatThrownBy(stream::read).isInstanceOf(IOException.class);
        }
    }

    @Test
    void streamWhenReaderIsSlowHoldsTheServerBack() throws Exception {
        AtomicLong written = new AtomicLong();
        byte[] block = new byte[64 * 1024];
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n".getBytes());
                    while (true) {
                        out.write(block);
                        written.addAndGet(block.length);
                    }
                });
                ApiConnection connection = open(server.config());
                ApiStream stream = connection.stream(GET)) {
            assertThat(stream.read()).isZero();
            AtomicLong before = new AtomicLong(-1);
            await("server to be held back")
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> before.getAndSet(written.get()) == written.get());
            long held = written.get();
            assertThat(held).isLessThan(64L * 1024 * 1024);
            stream.readNBytes((int) held);
            await("server to continue").atMost(Duration.ofSeconds(30)).until(() -> written.get() > held);
        }
    }

    @Test
    void streamWhenRefusedThrowsTheTypedError() {
        try (ScriptedServer server = ScriptedServer.start(
                        (request, out) -> out.write(ScriptedServer.status(410, "Expired", "too old", "{}")));
                ApiConnection connection = open(server.config())) {
            assertThatThrownBy(() -> connection.stream(GET)).isInstanceOf(GoneException.class);
        }
    }
}
