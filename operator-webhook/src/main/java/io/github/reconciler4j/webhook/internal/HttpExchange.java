package io.github.reconciler4j.webhook.internal;

import io.github.reconciler4j.webhook.internal.Dispatcher.Answer;
import io.github.reconciler4j.webhook.internal.WebhookListener.Phase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.jspecify.annotations.Nullable;

/** Reads requests from a connection, lets the dispatcher answer them, and writes the responses. Thread-safe. */
final class HttpExchange {

    /** Two objects of 3 MiB and what surrounds them. */
    static final int MAX_BODY = 7 * 1024 * 1024;

    private static final Http1Config HTTP =
            Http1Config.custom().setMaxLineLength(8192).setMaxHeaderCount(100).build();
    private static final Pattern TIMEOUT = Pattern.compile("(?:^|&)timeout=(\\d{1,4})(m?s)(?:&|$)");

    private final Dispatcher dispatcher;

    HttpExchange(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** The connection, as far as an exchange needs to know it. */
    interface Progress {
        /** Report what happens next. */
        void enter(Phase phase);

        /** Return whether the connection must be closed after the response. */
        boolean isLast();
    }

    /** Serve requests until the client closes the connection or a request is invalid. */
    void serve(Socket socket, Progress progress) throws IOException, HttpException, InterruptedException {
        try (DefaultBHttpServerConnection http = new DefaultBHttpServerConnection("https", HTTP)) {
            http.bind(socket);
            boolean open = true;
            while (open) {
                open = serveOne(http, progress);
                progress.enter(Phase.IDLE);
            }
        }
    }

    private boolean serveOne(DefaultBHttpServerConnection http, Progress progress)
            throws IOException, HttpException, InterruptedException {
        Answer answer;
        boolean keep = false;
        try {
            ClassicHttpRequest request = http.receiveRequestHeader();
            if (request == null) { // closed without a request
                return false;
            }
            progress.enter(Phase.RECEIVING);
            Answer refusal = check(request);
            byte @Nullable [] body = refusal == null ? receive(http, request) : null;
            keep = body != null && keepsAlive(request) && !progress.isLast();
            progress.enter(Phase.ANSWERING);
            answer = refusal != null
                    ? refusal
                    : body == null
                            ? Answer.text(413, "the body has more than " + MAX_BODY + " bytes")
                            : dispatch(request.getPath(), body);
        } catch (HttpException e) {
            answer = Answer.text(400, "the request is not valid HTTP");
        }
        progress.enter(Phase.SENDING);
        send(http, answer, keep);
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

    /** Return the body, null if it is too large. */
    private static byte @Nullable [] receive(DefaultBHttpServerConnection http, ClassicHttpRequest request)
            throws IOException, HttpException {
        Header expect = request.getFirstHeader(HttpHeaders.EXPECT);
        if (expect != null && expect.getValue().equalsIgnoreCase("100-continue")) {
            http.sendResponseHeader(new BasicClassicHttpResponse(100));
            http.flush();
        }
        http.receiveRequestEntity(request);
        HttpEntity entity = request.getEntity();
        if (entity == null) {
            return new byte[0];
        }
        if (entity.getContentLength() > MAX_BODY) {
            return null;
        }
        InputStream content = entity.getContent();
        ByteArrayOutputStream body = new ByteArrayOutputStream(8192);
        byte[] buffer = new byte[8192];
        for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
            body.write(buffer, 0, read);
            if (body.size() > MAX_BODY) {
                return null;
            }
        }
        return body.toByteArray();
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
