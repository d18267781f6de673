package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpMessage;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.DefaultContentLengthStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParserFactory;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the pool. Differs from the library's connection in four points: it never logs what it sends; it checks
 * whether it is stale without waiting; it does not take the end of the connection for the end of the headers; and it rejects
 * contradictory lengths.
 */
final class ServerConnection extends DefaultBHttpClientConnection implements ManagedHttpClientConnection {

    private static final int BUFFER_SIZE = 8 * 1024;
    private static final int MAX_HEADERS = 1000;
    private static final int MAX_LINE_LENGTH = 64 * 1024;

    private static final Http1Config CONFIG = Http1Config.custom()
            .setBufferSize(BUFFER_SIZE)
            .setMaxHeaderCount(MAX_HEADERS)
            .setMaxLineLength(MAX_LINE_LENGTH)
            .setMaxEmptyLineCount(4)
            .build();

    private @Nullable SocketChannel channel;
    private @Nullable Exchange exchange;
    private int generation;
    private boolean probing;
    private boolean leavesEncrypted;
    private boolean inHead;
    private boolean ended;

    ServerConnection() {
        super( // without a factory, the parser has the limits of the library
                CONFIG,
                null,
                StandardCharsets.UTF_8
                        .newEncoder(), // names in headers, as those of impersonated users, are sent as by Go
                ServerConnection::lengthOf,
                null,
                null,
                new DefaultHttpResponseParserFactory(CONFIG));
    }

    /** Let an exchange, which can close the channel at any time, use this connection, open or not. */
    void use(Exchange newExchange) {
        exchange = newExchange;
        if (channel != null && isOpen()) {
            newExchange.use(channel);
        }
    }

    /** Set the generation of the certificates that it was opened with. */
    void generation(int newGeneration) {
        generation = newGeneration;
    }

    int generation() {
        return generation;
    }

    /** Return the channel; the connection must be open. */
    SocketChannel channel() throws IOException {
        SocketChannel current = channel;
        if (current == null) {
            throw new IOException("The connection is closed");
        }
        return current;
    }

    @Override
    public void bind(Socket socket) throws IOException {
        SocketChannel bound = socket.getChannel();
        channel = bound;
        if (exchange != null) {
            exchange.use(bound);
        }
        super.bind(new Holder(socket));
    }

    @Override
    public void bind(SSLSocket encrypted, Socket socket) throws IOException {
        super.bind(new Holder(encrypted, socket));
    }

    @Override
    public @Nullable Socket getSocket() {
        SocketHolder holder = getSocketHolder();
        return holder == null ? null : holder.getSSLSocket() == null ? holder.getSocket() : holder.getSSLSocket();
    }

    /** Return the socket, which encrypts if it was upgraded; the connection must be open. */
    Socket socket() throws IOException {
        Socket current = getSocket();
        if (current == null) {
            throw new IOException("The connection is closed");
        }
        return current;
    }

    @Override
    public void passivate() {
        // An idle connection has no time limit of its own.
    }

    @Override
    public void activate() {
        // See passivate.
    }

    /** Close the channel only: a TLS goodbye can block, and the server needs none. */
    @Override
    public void close(CloseMode mode) {
        SocketChannel current = channel;
        if (current != null) {
            Exchange.close(current);
        }
        super.close(CloseMode.IMMEDIATE);
    }

    @Override
    public void close() {
        close(CloseMode.IMMEDIATE);
    }

    /**
     * Return whether an idle connection must not be used again: the server has closed it, or has sent something that belongs
     * to no request. The second request must not take such bytes for its response.
     */
    @Override
    public boolean isStale() throws IOException {
        if (!isOpen()) {
            return true;
        }
        probing = true;
        try {
            return isDataAvailable(Timeout.ONE_MILLISECOND); // does not wait, since the input is probing
        } finally {
            probing = false;
        }
    }

    /** Return whether bytes have arrived in plain text, or decrypted, that belong to no response. */
    boolean hasMore() throws IOException {
        leavesEncrypted = socket() instanceof SSLSocket;
        try {
            return isStale();
        } finally {
            leavesEncrypted = false;
        }
    }

    /** Return whether the server has closed the connection. */
    boolean hasEnded() {
        return ended;
    }

    /** Read the head of a response. The library does not notice the end of the connection within a head. */
    @Override
    public ClassicHttpResponse receiveResponseHeader() throws HttpException, IOException {
        inHead = true;
        ClassicHttpResponse response = super.receiveResponseHeader();
        inHead = false;
        return response;
    }

    private static long lengthOf(HttpMessage message) throws HttpException {
        boolean chunked = message.containsHeader("Transfer-Encoding");
        if (chunked && message.containsHeader("Content-Length")) {
            throw new ProtocolException("Both Content-Length and Transfer-Encoding are present");
        }
        return DefaultContentLengthStrategy.INSTANCE.determineLength(message);
    }

    /** Connect the parser to the input below. */
    private final class Holder extends SocketHolder {

        Holder(Socket socket) {
            super(socket);
        }

        Holder(SSLSocket encrypted, Socket socket) {
            super(encrypted, socket);
        }

        @Override
        protected InputStream getInputStream(Socket socket) throws IOException {
            return new Input(socket.getInputStream());
        }
    }

    private final class Input extends FilterInputStream {

        Input(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (probing) {
                return probe(to, offset);
            }
            int count = in.read(to, offset, length);
            if (count < 0) {
                ended = true;
                if (inHead) {
                    throw new EOFException("The connection ended before the headers of the response did");
                }
            }
            return count;
        }

        /** Return a byte if there is any, without waiting for it. */
        private int probe(byte[] to, int offset) throws IOException {
            if (in.available() > 0) {
                return in.read(to, offset, 1);
            }
            if (leavesEncrypted) {
                throw NoByteYet.INSTANCE;
            }
            SocketChannel raw = channel();
            raw.configureBlocking(false);
            try {
                int count = raw.read(ByteBuffer.wrap(to, offset, 1));
                if (count == 0) {
                    throw NoByteYet.INSTANCE;
                }
                if (count < 0) {
                    throw new EOFException("The server has closed the connection");
                }
                return count;
            } finally {
                raw.configureBlocking(true);
            }
        }
    }

    /** No byte is there. The library takes it for the end of its wait. */
    private static final class NoByteYet extends SocketTimeoutException {

        private static final long serialVersionUID = 1L;
        private static final NoByteYet INSTANCE = new NoByteYet();

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** One request and the head of its response, over a connection that is open. */
    static final class RequestTransfer {

        static final HttpContext NO_CONTEXT = HttpCoreContext.create();

        /** Larger requests can block while they are written, and servers may reject them before they have read all. */
        private static final int LARGE_BODY = 16 * 1024;

        private static final int MAX_INTERIM_RESPONSES = 32;

        private RequestTransfer() {}

        /** Return whether the code is one of success; interim responses have been skipped. */
        static boolean isSuccess(ClassicHttpResponse response) {
            return response.getCode() <= 299;
        }

        static ClassicHttpResponse execute(
                ConnectionEndpoint endpoint, ClassicHttpRequest request, ConnectionEndpoint.RequestExecutor executor)
                throws IOException {
            try {
                return endpoint.execute("", request, executor, NO_CONTEXT);
            } catch (ParseException e) {
                // Its message quotes the line, which may be confidential.
                throw new TransportException(
                        Problem.MALFORMED_RESPONSE, "The head of the response cannot be parsed", null);
            } catch (HttpException | MessageConstraintException e) {
                throw new TransportException(Problem.MALFORMED_RESPONSE, String.valueOf(e.getMessage()), e);
            }
        }

        static ClassicHttpResponse transfer(ClassicHttpRequest request, int bodyLength, ServerConnection connection)
                throws IOException, HttpException {
            IOException unsent = null;
            try {
                connection.sendRequestHeader(request);
                connection.sendRequestEntity(request);
                connection.flush();
            } catch (IOException e) {
                if (bodyLength < LARGE_BODY) {
                    throw e;
                }
                unsent = e; // the server may have rejected the request before it has read all of it
            }
            try {
                ClassicHttpResponse response = receiveHead(connection);
                if (unsent != null) {
                    response.setHeader("Connection", "close"); // the rest of the request cannot be sent anymore
                }
                if (!request.getMethod().equals("CONNECT")
                        && MessageSupport.canResponseHaveBody(request.getMethod(), response)) {
                    connection.receiveResponseEntity(response);
                }
                return response;
            } catch (IOException e) {
                if (unsent != null) {
                    unsent.addSuppressed(e);
                    throw unsent;
                }
                throw e;
            }
        }

        private static ClassicHttpResponse receiveHead(ServerConnection connection) throws IOException, HttpException {
            for (int i = 0; i < MAX_INTERIM_RESPONSES; i++) {
                ClassicHttpResponse response = connection.receiveResponseHeader();
                if (response.getCode() >= 200) {
                    return response;
                }
                if (response.getCode() == 101) {
                    throw new ProtocolException("The server switched protocols without being asked");
                }
            }
            throw new ProtocolException("More than " + MAX_INTERIM_RESPONSES + " interim responses");
        }
    }
}
