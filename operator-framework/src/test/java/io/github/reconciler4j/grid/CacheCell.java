package io.github.reconciler4j.grid;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.grid.Framing.End;
import io.github.reconciler4j.grid.Framing.Received;
import io.github.reconciler4j.grid.Shape.Meaning;
import io.github.reconciler4j.grid.Verb.Content;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** One case of the grid: a cache gets two hostile responses to one of its requests, and then correct ones. */
record CacheCell(Request request, Shape shape, Framing framing, End end) implements GridCase {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final ObjectKey FOO = ObjectKey.of("shop", "foo");
    private static final ObjectKey BAR = ObjectKey.of("shop", "bar");
    private static final String EXPIRED = "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\","
            + "\"status\":\"Failure\",\"reason\":\"Expired\",\"code\":410}}\n";

    /** The request that gets the hostile responses. */
    enum Request {
        LIST(Content.LIST),
        RELIST(Content.LIST),
        WATCH(Content.WATCH),
        STREAMED_LIST(Content.STREAMED);

        final Content content;

        Request(Content content) {
            this.content = content;
        }
    }

    @Override
    public List<String> run() throws Exception {
        List<String> violations = new ArrayList<>();
        Script script = new Script();
        try (ScriptedServer server = ScriptedServer.start(script);
                GridConnection connection = connection(server);
                Cache cache = Cache.create(connection, Scheme.create(), options())) {
            Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
            List<String> events = new CopyOnWriteArrayList<>();
            informer.subscribe("grid", event -> events.add(describe(event, script)));
            cache.start();
            awaitBar(informer);
            check(cache, informer, events, violations);
        }
        return violations;
    }

    private static GridConnection connection(ScriptedServer server) {
        Config config = server.config();
        config.setOauthToken(Verb.SECRET);
        return new GridConnection(ApiConnection.open(config), Cell.SHORT);
    }

    private CacheOptions options() {
        WatchOptions watch = WatchOptions.defaults()
                .withBackoff(Duration.ofMillis(1), Duration.ofMillis(20))
                .withListMode(
                        request == Request.STREAMED_LIST
                                ? WatchOptions.ListMode.STREAMED
                                : WatchOptions.ListMode.WHOLE);
        return CacheOptions.defaults().withWatch(watch).withSyncTimeout(LIMIT);
    }

    private static void awaitBar(Informer<ConfigMap> informer) throws InterruptedException {
        long start = System.nanoTime();
        while (informer.get(BAR).isEmpty() && System.nanoTime() - start < LIMIT.toNanos()) {
            Thread.sleep(2);
        }
    }

    /** An event, marked if no correct response with objects has been sent before it. */
    private static String describe(ObjectEvent<ConfigMap> event, Script script) {
        String type = event instanceof ObjectEvent.Deleted ? "deleted " : "";
        String early = script.correctLists.get() == 0 ? "early " : "";
        return early + type + event.snapshot().key();
    }

    private void check(Cache cache, Informer<ConfigMap> informer, List<String> events, List<String> violations) {
        byte[] body = shape.body().apply(request.content);
        Meaning meaning = framing.received(shape, body, end) == Received.WHOLE
                ? shape.meaning()
                : framing.part == Framing.Part.ENDLESS || framing.received(shape, body, end) == Received.NOT_WHOLE
                        ? partial()
                        : shape.truncated().meaning();
        // What follows a whole list in a stream does not matter. The reader of the cache does not check the digits of
        // numbers that it skips, and items need no kind.
        String correct = Shape.text(request.content).strip();
        boolean stream = request == Request.WATCH || request == Request.STREAMED_LIST;
        boolean lenient = stream && new String(body, StandardCharsets.UTF_8).startsWith(correct)
                || shape.name().startsWith("number")
                || shape.name().equals("no kind")
                || shape.name().matches("item (is|of) .*") // is set aside, and the others are delivered
                || shape.name().matches("(invalid|overlong) UTF-8|bare continuation");
        boolean accepted =
                lenient || meaning == Meaning.RIGHT || meaning == Meaning.POSSIBLE || meaning == Meaning.EMPTY_LIST;
        if (informer.get(BAR).isEmpty()) {
            violations.add("the cache did not recover within " + LIMIT + ", its events were " + events);
        } else if (informer.get(FOO).isEmpty() && meaning != Meaning.EMPTY_LIST) {
            violations.add("the cache has lost an object, its events were " + events);
        }
        if (events.stream().anyMatch(event -> event.contains("deleted")) && meaning != Meaning.EMPTY_LIST) {
            violations.add("the cache delivered a deletion: " + events);
        }
        if (!accepted && events.stream().anyMatch(event -> event.startsWith("early"))) {
            violations.add("the cache delivered what no server sent: " + events);
        }
        for (KindStatus status : cache.kinds()) {
            if ((status.failure() + status.activity().lastError()).contains(Verb.SECRET)) {
                violations.add("the status of the cache shows content");
            }
        }
    }

    /** A stream delivers what has arrived in whole before it breaks. */
    private Meaning partial() {
        boolean stream = request == Request.WATCH || request == Request.STREAMED_LIST;
        return stream ? shape.meaning() : Meaning.WRONG;
    }

    private final class Script implements ScriptedServer.Script {

        private final AtomicInteger hostile = new AtomicInteger(2);
        private final AtomicInteger correctLists = new AtomicInteger();
        private final AtomicInteger watches = new AtomicInteger();

        @Override
        public void answer(ScriptedServer.Received received, OutputStream out) throws Exception {
            boolean streamed = received.target().contains("sendInitialEvents=true");
            boolean watch = received.target().contains("watch=");
            if (received.target().equals("/api/v1")) {
                out.write(ScriptedServer.json(200, Cell.CORE));
            } else if (isTarget(watch, streamed) && hostile.getAndDecrement() > 0) {
                framing.send(shape, shape.body().apply(request.content), end, out);
            } else if (streamed) {
                correctLists.incrementAndGet();
                stream(out, Shape.text(Content.STREAMED) + bar());
                ScriptedServer.stall();
            } else if (!watch) {
                correctLists.incrementAndGet();
                out.write(ScriptedServer.json(200, Shape.text(Content.LIST)));
            } else if (request == Request.RELIST && watches.getAndIncrement() == 0) {
                stream(out, EXPIRED);
                out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            } else {
                stream(out, bar());
                ScriptedServer.stall();
            }
        }

        private boolean isTarget(boolean watch, boolean streamed) {
            return switch (request) {
                case LIST -> !watch;
                case RELIST -> !watch && correctLists.get() > 0;
                case WATCH -> watch && !streamed;
                case STREAMED_LIST -> streamed;
            };
        }

        private static String bar() {
            return Shape.text(Content.WATCH)
                    .replace("MODIFIED", "ADDED")
                    .replace("\"name\":\"foo\"", "\"name\":\"bar\"")
                    .replace("\"u1\"", "\"u2\"")
                    .replace("\"10\"", "\"11\"");
        }

        private static void stream(OutputStream out, String events) throws Exception {
            String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
            String chunk = Integer.toHexString(events.length()) + "\r\n" + events + "\r\n";
            out.write((head + chunk).getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }
    }
}
