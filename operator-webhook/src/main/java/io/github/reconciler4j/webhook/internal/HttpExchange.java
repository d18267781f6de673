package io.github.reconciler4j.webhook.internal;

import io.github.reconciler4j.support.internal.ConnectionListener;
import io.github.reconciler4j.support.internal.ConnectionListener.Phase;
import io.github.reconciler4j.support.internal.ConnectionListener.Progress;
import io.github.reconciler4j.webhook.internal.Dispatcher.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestParserFactory;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * Serves a connection of a webhook server: does the TLS handshake, reads requests, lets the dispatcher answer them, and writes
 * the responses. A handshake uses the certificate of that moment; open connections continue when it changes. A connection
 * whose request is being answered is never closed in favor of another one. Thread-safe.
 */
public final class HttpExchange implements ConnectionListener.Handler {

    /** TLS handshake and the header of the first request. */
    private static final Phase CONNECTING = new Phase(Duration.ofSeconds(10), true, false);

    /** Without a request, longer than the 90 seconds of Go's HTTP client, so that the client closes the connection. */
    private static final Phase IDLE = new Phase(Duration.ofSeconds(120), true, false);

    /** Receiving the rest of a request. An API server needs milliseconds, so what takes longest is not one. */
    private static final Phase RECEIVING = new Phase(Duration.ofSeconds(15), true, true);

    /** Waiting for the operator's code, which has a time limit of its own. */
    private static final Phase ANSWERING = new Phase(Duration.ofSeconds(60), false, true);

    /** Sending the response, which waits for the client only if that does not read it. */
    private static final Phase SENDING = new Phase(Duration.ofSeconds(15), true, true);

    /** Reading what is left of a body that was refused. A client that has not sent all of it could lose the response otherwise. */
    private static final Phase DISCARDING = new Phase(Duration.ofSeconds(15), true, true);

    /** Threads of closed connections end soon, because the operator's code runs on others. */
    private static final int THREADS_PER_CONNECTION = 4;

    /** Two objects of 3 MiB and what surrounds them. */
    static final int MAX_BODY = 7 * 1024 * 1024;

    private static final String TOO_LARGE = "the review has more than " + MAX_BODY / 1024 / 1024 + " MiB (" + MAX_BODY
            + " bytes), which the operator does not accept: make the object smaller";

    private static final Http1Config HTTP =
            Http1Config.custom().setMaxLineLength(8192).setMaxHeaderCount(100).build();
    private static final Pattern TIMEOUT = Pattern.compile("(?:^|&)timeout=(\\d{1,4})(m?s)(?:&|$)");

    private final Dispatcher dispatcher;
    private final Supplier<SSLContext> tls;

    /**
     * Create an exchange.
     *
     * @param tls returns the context for the next handshake
     */
    public HttpExchange(Dispatcher dispatcher, Supplier<SSLContext> tls) {
        this.dispatcher = dispatcher;
        this.tls = tls;
    }

    /** Return the settings of a listener whose connections exchanges serve. */
    public static ConnectionListener.Settings settings(InetSocketAddress address, int maxConnections, boolean virtual) {
        return new ConnectionListener.Settings(
                "webhook-server",
                address,
                maxConnections,
                THREADS_PER_CONNECTION * maxConnections,
                virtual,
                CONNECTING);
    }

    @Override
    public void serve(Socket socket, Progress progress) throws IOException, InterruptedException {
        try (SSLSocket secure = (SSLSocket) tls.get().getSocketFactory().createSocket(socket, null, true)) {
            secure.startHandshake();
            exchange(secure, progress);
        } catch (HttpException e) {
            throw new IOException(e);
        }
    }

    /** Serve requests until the client closes the connection or a request is invalid. */
    private void exchange(Socket socket, Progress progress) throws IOException, HttpException, InterruptedException {
        try (DefaultBHttpServerConnection http = new DefaultBHttpServerConnection(
                "https", HTTP, null, null, null, null, new DefaultHttpRequestParserFactory(HTTP), null)) {
            http.bind(socket);
            boolean open = true;
            while (open) {
                open = serveOne(http, progress);
                progress.enter(IDLE);
            }
        }
    }

    private boolean serveOne(DefaultBHttpServerConnection http, Progress progress)
            throws IOException, HttpException, InterruptedException {
        Answer answer;
        InputStream rest = null;
        boolean keep = false;
        try {
            ClassicHttpRequest request = http.receiveRequestHeader();
            if (request == null) { // closed without a request
                return false;
            }
            progress.enter(RECEIVING);
            Answer refusal = check(request);
            Received received = receive(http, request, refusal == null ? MAX_BODY : 0);
            byte[] body = received.body;
            rest = received.rest;
            keep = refusal == null && body != null && keepsAlive(request) && !progress.isLast();
            progress.enter(ANSWERING);
            answer = refusal != null
                    ? refusal
                    : body == null ? Answer.text(413, TOO_LARGE) : dispatch(request.getPath(), body);
        } catch (HttpException e) {
            answer = Answer.text(400, "the request is not valid HTTP");
        }
        progress.enter(SENDING);
        send(http, answer, keep);
        if (rest != null) {
            progress.enter(DISCARDING);
            rest.transferTo(OutputStream.nullOutputStream());
        }
        return keep;
    }

    private Answer dispatch(String target, byte[] body) throws InterruptedException {
        int question = target.indexOf('?');
        return question < 0
                ? dispatcher.dispatch(target, Duration.ZERO, body)
                : dispatcher.dispatch(target.substring(0, question), timeout(target.substring(question + 1)), body);
    }

    private static Duration timeout(String query) {
        Matcher matcher = TIMEOUT.matcher(query);
        if (!matcher.find()) {
            return Duration.ZERO;
        }
        long number = Long.parseLong(matcher.group(1));
        return matcher.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
    }

    private static @Nullable Answer check(ClassicHttpRequest request) {
        if (!request.getMethod().equals("POST")) {
            return Answer.text(405, "webhooks accept POST, not " + request.getMethod());
        }
        Header header = request.getFirstHeader(HttpHeaders.CONTENT_TYPE);
        ContentType type = header == null ? null : ContentType.parseLenient(header.getValue());
        if (type == null || !ContentType.APPLICATION_JSON.isSameMimeType(type)) {
            return Answer.text(415, "webhooks accept application/json");
        }
        return null;
    }

    /**
     * What was received of a body.
     *
     * @param body the body, null if it is too large
     * @param rest what follows in that case, null if nothing does
     */
    private record Received(
            byte @Nullable [] body, @Nullable InputStream rest) {}

    private static Received receive(DefaultBHttpServerConnection http, ClassicHttpRequest request, int max)
            throws IOException, HttpException {
        http.receiveRequestEntity(request);
        HttpEntity entity = request.getEntity();
        if (entity == null) {
            return new Received(new byte[0], null);
        }
        boolean fits = entity.getContentLength() <= max;
        Header expect = request.getFirstHeader(HttpHeaders.EXPECT);
        boolean waits = expect != null && expect.getValue().equalsIgnoreCase("100-continue");
        if (!fits) {
            return new Received(null, waits ? null : entity.getContent());
        }
        if (waits) {
            http.sendResponseHeader(new BasicClassicHttpResponse(100));
            http.flush();
        }
        InputStream content = entity.getContent();
        ByteArrayOutputStream body = new ByteArrayOutputStream(8192);
        byte[] buffer = new byte[8192];
        for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
            if (body.size() + read > max) {
                return new Received(null, content);
            }
            body.write(buffer, 0, read);
        }
        return new Received(body.toByteArray(), null);
    }

    private static boolean keepsAlive(ClassicHttpRequest request) {
        Header connection = request.getFirstHeader(HttpHeaders.CONNECTION);
        boolean http11 = request.getVersion() == null || request.getVersion().greaterEquals(HttpVersion.HTTP_1_1);
        return http11 && (connection == null || !connection.getValue().equalsIgnoreCase("close"));
    }

    private static void send(DefaultBHttpServerConnection http, Answer answer, boolean keep)
            throws IOException, HttpException {
        ContentType type = answer.status() == 200 ? ContentType.APPLICATION_JSON : ContentType.TEXT_PLAIN;
        ClassicHttpResponse message = new BasicClassicHttpResponse(answer.status());
        message.setHeader(HttpHeaders.CONTENT_TYPE, type);
        message.setHeader(HttpHeaders.CONTENT_LENGTH, answer.body().length);
        message.setHeader("X-Content-Type-Options", "nosniff");
        if (!keep) {
            message.setHeader(HttpHeaders.CONNECTION, "close");
        }
        http.sendResponseHeader(message);
        message.setEntity(new ByteArrayEntity(answer.body(), type));
        http.sendResponseEntity(message);
        http.flush();
    }
}
