package io.github.reconciler4j.test.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Faults;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.request.RequestLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** One of two ways to the same server: over a socket, and without one. */
record Side(
        String server,
        ApiConnection connection,
        Client client,
        Client impatient,
        Faults faults,
        RequestLog requests,
        Runnable closing)
        implements AutoCloseable {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> CHANCE = List.of("uid", "creationTimestamp", "deletionTimestamp", "time");

    static Side overSocket() {
        KubernetesServer server = KubernetesServer.start();
        ApiConnection connection = ApiConnection.open(server.clientConfig());
        return of(connection, server.faults(), server.requests(), () -> {
            connection.close();
            server.close();
        });
    }

    static Side withoutSocket() {
        FakeClient client = FakeClient.builder().build();
        return of(client.connection(), client.faults(), client.requests(), client::close);
    }

    private static Side of(ApiConnection connection, Faults faults, RequestLog requests, Runnable closing) {
        ClientOptions options = ClientOptions.defaults();
        return new Side(
                connection.server(),
                connection,
                Client.create(connection, Scheme.create(), options),
                Client.create(connection, Scheme.create(), options.withTimeout(SHORT)),
                faults,
                requests,
                closing);
    }

    /** Return what a call does, as text without what differs from call to call. */
    <T> String outcome(Client caller, Function<Client, T> call) {
        try {
            T result = call.apply(caller);
            return "result " + (result == null ? null : json(result));
        } catch (ApiException e) {
            String problem = e instanceof ConnectionException lost ? " " + lost.problem() : "";
            return e.getClass().getSimpleName() + problem + " " + e.code() + " " + e.reason() + " "
                    + e.retryAfter().map(Duration::toString).orElse("") + " " + e.causes() + ": "
                    + text(e);
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + ": " + text(e);
        }
    }

    /** Return the message without the name of the server, and without how the connection ended, which TCP says in several words. */
    private String text(RuntimeException e) {
        return String.valueOf(e.getMessage())
                .replace(server, "SERVER")
                .replaceAll("(the connection ended before the response did) \\(.*\\)$", "$1");
    }

    private static String json(Object result) {
        JsonNode tree = MAPPER.valueToTree(result instanceof Optional<?> some ? some.orElse(null) : result);
        remove(tree);
        return tree.toString();
    }

    private static void remove(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.remove(CHANCE);
        }
        tree.forEach(Side::remove);
        if (tree.path("managedFields") instanceof ArrayNode entries) { // in the order of times, in seconds
            List<JsonNode> sorted = new ArrayList<>();
            entries.forEach(sorted::add);
            sorted.sort(Comparator.comparing(JsonNode::toString));
            entries.removeAll().addAll(sorted);
        }
    }

    /** Return the requests in the log, in their order. */
    List<String> log() {
        return requests.all().stream().map(LoggedRequest::toString).toList();
    }

    @Override
    public void close() {
        closing.run();
    }
}
