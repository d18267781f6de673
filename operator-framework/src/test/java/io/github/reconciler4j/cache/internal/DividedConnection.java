package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.DividedServer.Event;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one cache to a {@link DividedServer}. A list is of any version that it may be of, and can break off; a watch
 * sends what the test delivers. Lookups are answered at once, but much may happen before and after.
 */
final class DividedConnection implements ApiConnection {

    static final String FAULT = "simulated fault";
    private static final int GONE = 410;

    private final DividedServer server;
    private final Random random;
    private final Turns turns;
    private final Runnable meanwhile;
    private final boolean streams;

    /** Whether requests of the reflector, and lookups, fail now and then. */
    boolean faults;

    boolean lookupFaults;

    private @Nullable Body open;

    /** Create it; what happens meanwhile is called before and after a lookup is answered. */
    DividedConnection(DividedServer server, Random random, Turns turns, boolean streams, Runnable meanwhile) {
        this.server = server;
        this.random = random;
        this.turns = turns;
        this.streams = streams;
        this.meanwhile = meanwhile;
    }

    /** Return the watch that is open, null without one. */
    @Nullable
    Body watch() {
        Body now = open;
        return now == null || now.isEnded() || !now.isWatch() ? null : now;
    }

    /** Return whether the reader has something to read, or the end of it. */
    boolean hasMore() {
        Body now = open;
        return now != null && now.hasMore();
    }

    private static ApiException refusal(int code) {
        return new ApiException(FAULT + " " + code, ErrorDetails.of(code, ""));
    }

    private static String parameter(ApiRequest request, String name) {
        return String.join("", request.query().getOrDefault(name, List.of()));
    }

    private boolean isFault(int oneOf) {
        return faults && random.nextInt(oneOf) == 0;
    }

    @Override
    public String server() {
        return "http://server.invalid";
    }

    /** Answers lookups of one name. */
    @Override
    public ApiResponse send(ApiRequest request) {
        if (!request.verb().equals("list")) {
            throw refusal(503);
        }
        meanwhile.run();
        if (lookupFaults && random.nextInt(4) == 0) {
            throw refusal(500);
        }
        String name = parameter(request, "fieldSelector").replace("metadata.name=", "");
        String namespace = request.path().replaceAll(".*/namespaces/([^/]*)/.*", "$1");
        DividedServer.State state = server.state(ObjectKey.of(namespace, name));
        String list = server.listJson("", server.version(), "", state == null ? List.of() : List.of(state.json()));
        meanwhile.run();
        return new ApiResponse(200, list.getBytes(StandardCharsets.UTF_8), List.of());
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        turns.await(Turns.Place.REQUEST);
        if (isFault(8)) {
            throw refusal(random.nextBoolean() ? 500 : GONE);
        }
        boolean watch = !parameter(request, "watch").isEmpty();
        Body body = new Body(parameter(request, "shardSelector"), watch);
        String from = parameter(request, "resourceVersion");
        if (!parameter(request, "sendInitialEvents").isEmpty()) {
            streamList(body, from);
        } else if (watch) {
            startWatch(body, Long.parseLong(from));
        } else {
            list(body, request, from);
        }
        open = body;
        return body;
    }

    private void streamList(Body body, String from) {
        if (!streams) {
            throw refusal(400);
        }
        body.position = server.versionOf(from, random);
        for (String object : server.list(body.selector, body.position)) {
            body.send(Json.event("ADDED", object));
        }
        body.send(Json.bookmark(body.position, true));
        if (isFault(5)) {
            body.breakOff();
        }
    }

    private void startWatch(Body body, long from) {
        body.position = from;
        if (!server.has(from)) {
            if (random.nextBoolean()) {
                throw refusal(GONE);
            }
            body.send(Json.error(GONE, FAULT));
            body.end();
        }
    }

    private void list(Body body, ApiRequest request, String from) {
        String[] token = parameter(request, "continue").split(":");
        boolean next = token.length > 1;
        long at = next ? Long.parseLong(token[0]) : server.versionOf(from, random);
        if (next && (!server.has(at) || isFault(5))) {
            throw refusal(GONE);
        }
        List<String> items = server.list(body.selector, at);
        int start = next ? Integer.parseInt(token[1]) : 0;
        String limit = parameter(request, "limit");
        int end = limit.isEmpty() ? items.size() : Math.min(items.size(), start + Integer.parseInt(limit));
        String more = end < items.size() ? at + ":" + end : "";
        String list = server.listJson(body.selector, at, more, items.subList(start, end));
        int half = list.length() / 2;
        body.send(list.substring(0, half));
        if (isFault(5)) {
            body.breakOff();
        } else {
            body.send(list.substring(half));
            body.end();
        }
    }

    @Override
    public void close() {}

    /** A response that is being read. */
    final class Body extends ApiStream {

        private static final byte[] END = new byte[0];

        private final Deque<byte[]> pieces = new ArrayDeque<>();
        private final String selector;
        private final boolean watch;
        private long position;
        private @Nullable IOException failure;
        private byte[] piece = END;
        private int at;
        private boolean ended;
        private volatile boolean closed;

        Body(String selector, boolean watch) {
            this.selector = selector;
            this.watch = watch;
        }

        boolean isWatch() {
            return watch;
        }

        /** Return whether nothing more can be sent. */
        boolean isEnded() {
            return ended || closed;
        }

        boolean hasMore() {
            return isEnded() || !pieces.isEmpty();
        }

        private void send(String text) {
            pieces.add(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Return what has happened that was not sent. */
        List<Event> pending() {
            return server.after(selector, position);
        }

        /** Send the next events at once, at most the given number; returns those. */
        List<Event> deliver(int most) {
            List<Event> events = pending().stream().limit(most).toList();
            ByteArrayOutputStream batch = new ByteArrayOutputStream();
            for (Event event : events) {
                batch.writeBytes(event.json().getBytes(StandardCharsets.UTF_8));
                position = event.version();
            }
            if (!events.isEmpty()) {
                pieces.add(batch.toByteArray());
            }
            return events;
        }

        /** Send a bookmark of the version up to which everything was sent. */
        long bookmark() {
            if (pending().isEmpty()) {
                position = server.version();
            }
            send(Json.bookmark(position, false));
            return position;
        }

        void end() {
            ended = true;
        }

        void breakOff() {
            failure = new IOException(FAULT);
            ended = true;
        }

        void fallSilent() {
            failure = new SocketTimeoutException(FAULT);
            ended = true;
        }

        void gone() {
            send(Json.error(GONE, FAULT));
            ended = true;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("read pieces");
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            while (at == piece.length) {
                if (closed) {
                    throw new IOException("closed");
                }
                if (pieces.isEmpty() && ended) {
                    return finish();
                }
                if (pieces.isEmpty() || random.nextInt(4) == 0) {
                    turns.await(Turns.Place.READING);
                }
                if (!pieces.isEmpty()) {
                    piece = pieces.remove();
                    at = 0;
                }
            }
            int count = Math.min(length, piece.length - at);
            System.arraycopy(piece, at, to, offset, count);
            at += count;
            return count;
        }

        private int finish() throws IOException {
            if (failure != null) {
                throw failure;
            }
            return -1;
        }

        @Override
        public void idleTimeout(Duration timeout) {}

        @Override
        public void close() {
            closed = true;
        }
    }
}
