package io.github.reconciler4j.grid;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ServerNotReadyException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.fixtures.ForgedLines;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.grid.Framing.End;
import io.github.reconciler4j.grid.Framing.Part;
import io.github.reconciler4j.grid.Shape.Meaning;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** One case of the grid: a call gets a hostile response, and then a correct one. */
record Cell(Verb verb, Shape shape, Framing framing, End end) implements GridCase {

    static final Duration SHORT = Duration.ofMillis(400);
    private static final int MAX_SHORT_WAITS = 10;
    private static final Duration ENDLESS = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofSeconds(30);

    /** What generic calls discover before they send their own request. */
    static final String CORE = "{\"kind\":\"APIResourceList\",\"groupVersion\":\"v1\",\"resources\":["
            + "{\"name\":\"configmaps\",\"namespaced\":true,\"kind\":\"ConfigMap\",\"verbs\":[\"get\"]}]}";

    /** An endless list ends at 256 MB, so only one of them may be read at a time. */
    private static final Semaphore MEMORY = new Semaphore(1);

    @Override
    public List<String> run() throws Exception {
        boolean endless = framing.part == Part.ENDLESS;
        if (endless) {
            MEMORY.acquire();
        }
        try {
            return violations(endless ? ENDLESS : mustReturn() ? LONG : SHORT);
        } finally {
            if (endless) {
                MEMORY.release();
            }
        }
    }

    private List<String> violations(Duration limit) {
        List<String> violations = new ArrayList<>();
        Script script = new Script(shape.body().apply(verb.content()));
        Listener listener = new Listener();
        try (ScriptedServer server = ScriptedServer.start(script);
                GridConnection connection = connection(server, limit)) {
            Verb.Setup setup = new Verb.Setup(
                    connection,
                    ClientWiring.of(connection, Scheme.create())
                            .withWriteListener(listener)
                            .create(ClientOptions.defaults()));
            long start = System.nanoTime();
            Outcome outcome = Outcome.of(verb, setup);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            check(outcome, script.body, violations);
            if (outcome.failure != null) {
                checkFailure(outcome.failure, server, violations);
                if (!(outcome.failure instanceof UndecodableObjectException) && !listener.notified.isEmpty()) {
                    violations.add("the call failed but notified of " + listener.notified);
                }
            }
            if (took.compareTo(limit.plusSeconds(40)) > 0) {
                violations.add("took " + took);
            }
            script.correct = true;
            connection.limit(LONG);
            checkNext(setup, server, violations);
            if (script.usedAgain) {
                violations.add("the connection was used again");
            }
        }
        return violations;
    }

    /** Answers with the hostile response until {@link #correct} is set. */
    private final class Script implements ScriptedServer.Script {
        private final byte[] body;
        private final Set<OutputStream> damaged =
                Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        private volatile boolean correct;
        private volatile boolean usedAgain;

        Script(byte[] body) {
            this.body = body;
        }

        @Override
        public void answer(ScriptedServer.Received request, OutputStream out) throws Exception {
            usedAgain |= damaged.contains(out);
            if (request.target().equals("/api/v1")) {
                out.write(ScriptedServer.json(200, CORE));
            } else if (correct) {
                out.write(ScriptedServer.json(200, Shape.text(verb.content())));
            } else {
                if (framing.endsConnection(shape, body, end)) {
                    damaged.add(out);
                }
                framing.send(shape, body, end, out);
            }
        }
    }

    private void checkNext(Verb.Setup setup, ScriptedServer server, List<String> violations) {
        int connections = server.connections();
        setup.client().discovery().forget();
        Outcome next = Outcome.of(verb, setup);
        boolean used = server.connections() == connections;
        if (next.failure instanceof ConnectionException && (end != End.STALL || !used)) {
            next = Outcome.of(verb, setup); // the connection ended after the request
        }
        for (int i = 0; i < MAX_SHORT_WAITS && next.failure instanceof ServerNotReadyException; i++) {
            next = Outcome.of(verb, setup); // a short time limit passed while the machine was busy
        }
        if (!verb.expected().equals(next.result)) {
            violations.add("the next call: " + next);
        }
    }

    private static GridConnection connection(ScriptedServer server, Duration limit) {
        Config config = server.config();
        config.setOauthToken(Verb.SECRET);
        return new GridConnection(ApiConnection.open(config), limit);
    }

    private void check(Outcome outcome, byte[] body, List<String> violations) {
        if (outcome.failure == null) {
            if (!mayReturn(String.valueOf(outcome.result), body)) {
                violations.add("the call returned " + outcome.result);
            }
        } else if (mustReturn()) {
            violations.add("the call failed: " + outcome);
        }
    }

    private boolean mayReturn(String result, byte[] body) {
        return switch (framing.received(shape, body, end)) {
            case WHOLE -> shape.allows(verb, result);
            case TRUNCATED -> shape.truncated().allows(verb, result);
            case NOT_WHOLE -> false;
        };
    }

    /** A connection that is closed without notice can fail the second request of a call. */
    private boolean mustReturn() {
        return switch (framing.part) {
            case ALL, MORE -> shape.meaning() == Meaning.RIGHT && end == End.STALL;
            case UNTIL_CLOSE -> shape.meaning() == Meaning.RIGHT && end == End.CLOSE;
            case SOME, ENDLESS -> false;
        };
    }

    private void checkFailure(Throwable failure, ScriptedServer server, List<String> violations) {
        if (!(failure instanceof ApiException)) {
            violations.add("the call threw " + failure);
            return;
        }
        String message = String.valueOf(failure.getMessage());
        String target = failure instanceof UndecodableObjectException || verb.content() == Verb.Content.LEASE
                ? ""
                : verb.target();
        if (!message.contains(target)) {
            violations.add("the message does not contain '" + target + "': " + message);
        }
        if (ForgedLines.isIn(message)) {
            violations.add("the server started a line of the message: " + message);
        }
        boolean ofServer = failure instanceof ConnectionException || failure instanceof ServerNotReadyException;
        if (ofServer && !message.contains(server.address())) {
            violations.add("the message does not name the server: " + message);
        }
        Optional<Duration> wait = ((ApiException) failure).retryAfter();
        if (wait.filter(asked -> asked.isNegative() || asked.compareTo(Duration.ofMinutes(5)) > 0)
                .isPresent()) {
            violations.add("the failure asks to wait for " + wait);
        }
        Map<Throwable, Boolean> seen = new IdentityHashMap<>();
        checkSecret(failure, seen, violations);
    }

    private static void checkSecret(
            @Nullable Throwable failure, Map<Throwable, Boolean> seen, List<String> violations) {
        if (failure == null || seen.put(failure, true) != null) {
            return;
        }
        if (failure.toString().contains(Verb.SECRET)) {
            violations.add("the content is shown by " + failure);
        }
        checkSecret(failure.getCause(), seen, violations);
        for (Throwable suppressed : failure.getSuppressed()) {
            checkSecret(suppressed, seen, violations);
        }
    }

    /** The result of a call. */
    private record Outcome(
            @Nullable String result, @Nullable Throwable failure) {

        static Outcome of(Verb verb, Verb.Setup setup) {
            try {
                return new Outcome(verb.action().call(setup), null);
            } catch (IOException e) {
                // What a stream throws names no request; its user does.
                return new Outcome(null, new StreamFailure(setup.connection().server(), verb.target(), e));
            } catch (Exception | StackOverflowError | OutOfMemoryError e) {
                return new Outcome(null, e);
            }
        }
    }

    private static final class StreamFailure extends ConnectionException {
        private static final long serialVersionUID = 1L;

        StreamFailure(String server, String target, IOException cause) {
            super(target + " " + server, Problem.CONNECTION_RESET, cause);
        }
    }

    /** Records what a cache would take over. */
    private static final class Listener implements WriteListener {
        private final List<String> notified = new CopyOnWriteArrayList<>();

        @Override
        public void written(KindInfo kind, byte[] json) {
            notified.add("a write");
        }

        @Override
        public void deleted(KindInfo kind, ObjectKey key, String uid, byte @Nullable [] json) {
            notified.add("a deletion");
        }
    }
}
