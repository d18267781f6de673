package io.github.reconciler4j.cache.internal.watch;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.error;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * A server in virtual time that draws status, body, events, end and time of each answer, from a few habits that it draws first: a server
 * that does the same again and again is the one that causes a storm. From a time on it is healthy. Used by one thread.
 */
final class HostileServer implements ApiConnection {

    private static final int[] STATUS = {400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504};
    private static final String[] BODIES = {
        "", "{}", "null", "<html>sign in</html>", "{\"kind\":\"Status\"}", "[", "{\"items\":[]}"
    };
    private static final long SECOND = 1_000_000_000L;
    private static final long[] WAITS = {
        0,
        0,
        0,
        SECOND / 100,
        SECOND / 2,
        SECOND - 1,
        SECOND + SECOND / 10,
        5 * SECOND,
        9 * SECOND,
        11 * SECOND,
        61 * SECOND
    };

    private final Random random;
    private final VirtualClock clock;
    private final long healthyAt;
    private final List<Integer> lists = new ArrayList<>();
    private final List<Integer> watches = new ArrayList<>();
    private final List<Integer> answers = new ArrayList<>();
    private final boolean streams;
    private long version = 100;
    private long otherAnswers;
    private boolean sent;

    final List<Long> requests = new ArrayList<>();
    final List<String> history = new ArrayList<>();
    /** When the last hostile answer ended. */
    long recoveredAt;
    /** When the object of the healthy server was sent. */
    long followedAt = -1;

    Runnable end = () -> {};

    /** Virtual time: it passes when a thread waits. */
    static final class VirtualClock implements TimeSource {
        long now;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public java.time.Instant instant() {
            return java.time.Instant.EPOCH.plusNanos(now);
        }

        @Override
        public void park(Object blocker, long nanos) {
            now += nanos;
        }
    }

    HostileServer(Random random, VirtualClock clock, Duration hostile) {
        this.random = random;
        this.clock = clock;
        this.healthyAt = hostile.toNanos();
        this.streams = random.nextBoolean();
        draw(lists, 10);
        draw(watches, 14);
        draw(answers, 5);
    }

    /** Half of the servers have one habit, which is good for lists most of the time. */
    private void draw(List<Integer> habits, int of) {
        int count = random.nextBoolean() ? 1 : 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            habits.add(random.nextInt(of));
        }
    }

    private int habit(List<Integer> habits) {
        return habits.get(random.nextInt(habits.size()));
    }

    private boolean isHealthy() {
        if (clock.now < healthyAt) {
            recoveredAt = Math.max(recoveredAt, clock.now);
            return false;
        }
        return true;
    }

    private void sent(String what) {
        requests.add(clock.now);
        history.add(clock.now / (SECOND / 1000) + " ms " + what);
        if (requests.size() > 5000) {
            end.run();
            throw new IllegalStateException("a storm");
        }
    }

    private void pass() {
        clock.now += WAITS[random.nextInt(WAITS.length - 4)] / 4;
    }

    @Override
    public String server() {
        return "http://hostile.invalid";
    }

    @Override
    public long answers() {
        otherAnswers += random.nextInt(3) == 0 ? 1 : 0;
        return otherAnswers;
    }

    @Override
    public void close() {}

    /** Discovery, and the number of objects. */
    @Override
    public ApiResponse send(ApiRequest request) {
        sent("send " + request.path());
        if (!isHealthy()) {
            pass();
            switch (habit(answers)) {
                case 0 -> throw refusal();
                case 1 -> throw lost();
                case 2 -> {
                    return body(BODIES[random.nextInt(BODIES.length)]);
                }
                default -> {}
            }
            recoveredAt = Math.max(recoveredAt, clock.now);
        }
        return body(
                "{\"resources\":[{\"name\":\"configmaps\",\"kind\":\"ConfigMap\",\"namespaced\":true,\"verbs\":[\"list\"]}]}");
    }

    private static ApiResponse body(String text) {
        return new ApiResponse(200, text.getBytes(StandardCharsets.UTF_8), List.of());
    }

    private RuntimeException refusal() {
        int code = STATUS[random.nextInt(STATUS.length)];
        ErrorDetails details = ErrorDetails.of(code, "Drawn");
        Duration wait = Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(20_000) : 0);
        history.add("  " + code + " retry after " + wait);
        return new ApiException("drawn " + code, wait.isZero() ? details : details.withRetryAfter(wait));
    }

    private RuntimeException lost() {
        ConnectionException.Problem[] all = ConnectionException.Problem.values();
        ConnectionException.Problem problem = all[random.nextInt(all.length)];
        history.add("  " + problem);
        return new ConnectionException("lost", problem, null);
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        boolean watch = request.verb().equals("watch");
        boolean initial = request.query().containsKey("sendInitialEvents");
        sent(request.verb() + (initial ? " (streamed)" : "") + " "
                + request.query().get("resourceVersion"));
        if (isHealthy()) {
            return healthy(watch, initial);
        }
        pass();
        if (initial && !streams) {
            throw new ApiException("no streams", ErrorDetails.of(422, "Invalid"));
        }
        Script script = watch ? watch(initial) : listing();
        recoveredAt = Math.max(recoveredAt, clock.now);
        return script;
    }

    private Script healthy(boolean watch, boolean initial) {
        if (initial && !streams) {
            throw new ApiException("no streams", ErrorDetails.of(422, "Invalid"));
        }
        Script script = new Script(false);
        if (!watch) {
            return script.send(list(++version, ""));
        }
        if (initial) {
            script.send(bookmark(++version, true));
        }
        sent = true;
        return script.send(event("ADDED", configMap("a", "healthy", 7, ++version, "v")), SECOND / 10)
                .send(bookmark(++version, false), 15 * SECOND)
                .then(end);
    }

    private Script listing() {
        Script script = new Script(true);
        switch (habit(lists)) {
            case 0 -> throw refusal();
            case 1 -> throw lost();
            case 2 -> script.send(BODIES[random.nextInt(BODIES.length)]);
            case 3 -> script.send(list(++version, "page-" + random.nextInt(3), objects()));
            case 4 -> script.send(list(++version, "page-" + version, objects()));
            case 8 -> script.send(OddAnswers.oddList(random, ++version, objects()));
            case 9 -> {
                String[] objects = objects();
                script.send(OddAnswers.oddList(random, ++version, objects)).send(list(++version, "", objects));
            }
            default -> script.send(list(++version, "", objects()));
        }
        return random.nextInt(10) == 0 ? script.cut() : script;
    }

    private String[] objects() {
        String[] objects = new String[random.nextInt(4)];
        for (int i = 0; i < objects.length; i++) {
            objects[i] = configMap("a", "x" + random.nextInt(8), i, version, "v");
        }
        return objects;
    }

    private Script watch(boolean initial) {
        Script script = new Script(true);
        if (initial && random.nextInt(5) > 0) {
            script.send(bookmark(++version, true));
        }
        int habit = habit(watches);
        switch (habit) {
            case 0 -> throw refusal();
            case 1 -> throw lost();
            case 2 -> throw new ApiException("gone", ErrorDetails.of(410, "Expired"));
            case 3 -> script.send(error(410, "Expired"), wait(initial));
            case 4 -> script.send(error(410, "Gone").replace(":410", ":\"410\""), wait(initial));
            case 5 -> script.send(error(STATUS[random.nextInt(STATUS.length)], "Drawn"), wait(initial));
            case 6 -> script.send(BODIES[random.nextInt(BODIES.length)], wait(initial));
            case 7 -> script.send(bookmark(++version, false), wait(initial));
            case 10, 11, 12, 13 -> {
                for (int i = random.nextInt(3); i >= 0; i--) {
                    String good = event("MODIFIED", configMap("a", "x" + i, i, ++version, "v"));
                    script.send(OddAnswers.oddEvent(habit - 10, random, good, version), wait(initial));
                }
            }
            default -> events(script);
        }
        script.history(habit);
        return switch (random.nextInt(8)) {
            case 0 -> script.cut();
            case 1 -> script.silence();
            default -> script.end(wait(initial));
        };
    }

    private void events(Script script) {
        String[] types = {"ADDED", "MODIFIED", "DELETED", "MOVED"};
        for (int i = random.nextInt(4); i >= 0; i--) {
            String type = types[random.nextInt(random.nextInt(10) == 0 ? types.length : types.length - 1)];
            script.send(event(type, configMap("a", "x" + random.nextInt(8), i, ++version, "v")), wait(false));
        }
    }

    private long wait(boolean none) {
        return none ? 0 : WAITS[random.nextInt(WAITS.length)];
    }

    /** A body whose pieces arrive in virtual time. */
    private final class Script extends ApiStream {

        private record Piece(byte[] text, long after, Runnable then) {}

        private final Deque<Piece> pieces = new ArrayDeque<>();
        private final boolean hostile;
        private long idle;
        private boolean cut;
        private boolean silent;
        private long endsAfter;
        private byte[] now = {};
        private int at;
        private boolean closed;

        Script(boolean hostile) {
            this.hostile = hostile;
        }

        Script send(String text) {
            return send(text, 0);
        }

        Script send(String text, long after) {
            pieces.add(new Piece(text.getBytes(StandardCharsets.UTF_8), after, () -> {}));
            return this;
        }

        Script then(Runnable action) {
            pieces.add(new Piece(new byte[0], SECOND, action));
            return this;
        }

        Script cut() {
            cut = true;
            return this;
        }

        Script silence() {
            silent = true;
            return this;
        }

        Script end(long after) {
            endsAfter = after;
            return this;
        }

        void history(int habit) {
            history.add("  habit " + habit + (cut ? ", cut" : "") + (silent ? ", silent" : "") + ", ends after "
                    + endsAfter / (SECOND / 1000) + " ms");
        }

        @Override
        public void idleTimeout(Duration timeout) {
            idle = timeout.toNanos();
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            while (at == now.length) {
                if (!next()) {
                    return -1;
                }
            }
            int count = Math.min(length, now.length - at);
            System.arraycopy(now, at, to, offset, count);
            at += count;
            return count;
        }

        private boolean next() throws IOException {
            if (closed) {
                throw new InterruptedIOException("closed");
            }
            Piece piece = pieces.poll();
            pass(piece == null ? endsAfter : piece.after());
            if (piece == null && cut) {
                throw new IOException("cut");
            }
            if (piece == null && silent) {
                pass(Long.MAX_VALUE);
            }
            if (piece == null) {
                return false;
            }
            piece.then().run();
            followedAt = !hostile && sent && followedAt < 0 && piece.after() > 0 ? clock.now : followedAt;
            now = piece.text();
            at = 0;
            return true;
        }

        private void pass(long nanos) throws IOException {
            boolean late = idle > 0 && nanos > idle;
            clock.now += late ? idle : Math.min(nanos, 600 * SECOND);
            recoveredAt = hostile ? Math.max(recoveredAt, clock.now) : recoveredAt;
            if (late) {
                throw new SocketTimeoutException("idle");
            }
        }
    }
}
