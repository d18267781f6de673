package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection of the pool, and a server that says what the test wants. */
@Timeout(60)
class ServerConnectionTests {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    private final ServerConnection connection = new ServerConnection();
    private SocketChannel channel;
    private SocketChannel server;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel = SocketChannel.open(listener.getLocalAddress());
            server = listener.accept();
        }
    }

    @AfterEach
    void end() throws IOException {
        connection.close();
        channel.close();
        server.close();
    }

    private void say(String text) throws IOException {
        server.write(StandardCharsets.ISO_8859_1.encode(text));
    }

    private void bind() throws IOException {
        connection.bind(channel.socket());
    }

    private String read() throws Exception {
        ClassicHttpResponse response = connection.receiveResponseHeader();
        connection.receiveResponseEntity(response);
        return new String(response.getEntity().getContent().readAllBytes(), StandardCharsets.US_ASCII);
    }

    @Test
    void socketIsThatOfTheOpenConnection() throws IOException {
        assertThat(connection.getSocket()).isNull();
        assertThatThrownBy(connection::socket).isInstanceOf(IOException.class).hasMessage("The connection is closed");
        assertThatThrownBy(connection::channel).isInstanceOf(IOException.class).hasMessage("The connection is closed");
        bind();
        assertThat(connection.getSocket()).isSameAs(channel.socket());
        assertThat(connection.socket()).isSameAs(channel.socket());
        assertThat(connection.channel()).isSameAs(channel);
    }

    @Test
    void generationIsTheOneThatWasSet() {
        assertThat(connection.generation()).isZero();
        connection.generation(7);
        assertThat(connection.generation()).isEqualTo(7);
    }

    @Test
    void exchangeWhenItEndsClosesTheConnectionThatItUses() throws IOException {
        Exchange before = new Exchange(Exchange.NEVER);
        connection.use(before); // is not open yet
        bind();
        assertThat(channel.isOpen()).isTrue();
        Exchange after = new Exchange(Exchange.NEVER);
        connection.use(after);
        after.abort();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void exchangeThatHasEndedMeanwhileClosesTheConnectionAtOnce() throws IOException {
        Exchange ended = new Exchange(Exchange.NEVER);
        connection.use(ended);
        ended.abort();

        bind();

        assertThat(channel.isOpen()).isFalse();
        assertThat(connection.isOpen()).as("until it is closed").isTrue();
        connection.close();
        connection.use(ended); // leaves the closed one alone
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void closeEndsTheConnection() throws IOException {
        connection.close(); // is not open yet
        bind();
        connection.close();
        assertThat(connection.isOpen()).isFalse();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void idleConnectionIsStaleIfItEndedOrMoreArrived() throws Exception {
        assertThat(connection.isStale()).as("not open").isTrue();
        bind();
        assertThat(connection.isStale()).isFalse();
        assertThat(channel.isBlocking()).as("can be read on").isTrue();
        say(OK);
        assertThat(read()).isEqualTo("{}");
        assertThat(connection.isStale()).isFalse();
        say("x");
        awaitInput();
        assertThat(connection.isStale()).isTrue();
    }

    /** Waits without reading. */
    private void awaitInput() throws IOException {
        while (channel.socket().getInputStream().available() == 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void idleConnectionWhenTheServerHasClosedItIsNotUsedAgain() throws IOException {
        bind();
        assertThat(connection.isStale()).isFalse();
        server.close();
        assertThatThrownBy(() -> {
                    while (!connection.isStale()) { // the end is on its way
                        Thread.onSpinWait();
                    }
                })
                .isInstanceOf(EOFException.class)
                .hasMessage("The server has closed the connection");
        assertThat(channel.isBlocking()).isTrue();
    }

    @Test
    void connectionHasMoreIfBytesArrivedThatBelongToNoResponse() throws IOException {
        assertThatThrownBy(connection::hasMore).hasMessage("The connection is closed");
        bind();
        assertThat(connection.hasMore()).isFalse();
        say("x");
        awaitInput();
        assertThat(connection.hasMore()).isTrue();
    }

    @Test
    void headWhenTheConnectionEndsWithinItIsIncomplete() throws IOException {
        bind();
        say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n");
        server.close();
        assertThat(connection.hasEnded()).isFalse();
        assertThatThrownBy(connection::receiveResponseHeader)
                .isInstanceOf(EOFException.class)
                .hasMessage("The connection ended before the headers of the response did");
        assertThat(connection.hasEnded()).isTrue();
    }

    @Test
    void bodyWhenTheConnectionEndsItEndsThere() throws Exception {
        bind();
        say("HTTP/1.1 200 OK\r\n\r\nall of it");
        server.close();
        assertThat(read()).isEqualTo("all of it");
        assertThat(connection.hasEnded()).isTrue();
    }

    @Test
    void lengthsThatContradictEachOtherAreRefused() throws Exception {
        bind();
        say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + OK);
        assertThat(read()).isEqualTo("{}");
        assertThat(read()).isEqualTo("{}");
        say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}");
        assertThatThrownBy(this::read)
                .isInstanceOf(ProtocolException.class)
                .hasMessage("Both Content-Length and Transfer-Encoding are present");
    }

    /** As by Go. */
    @Test
    void headersAreSentInUtf8() throws Exception {
        bind();
        BasicClassicHttpRequest request = new BasicClassicHttpRequest("GET", "/x");
        request.addHeader("Impersonate-User", "j\u00fcrgen");
        connection.sendRequestHeader(request);
        connection.flush();
        connection.close();
        byte[] sent = server.socket().getInputStream().readAllBytes();
        assertThat(new String(sent, StandardCharsets.UTF_8)).contains("Impersonate-User: j\u00fcrgen\r\n");
    }
}
