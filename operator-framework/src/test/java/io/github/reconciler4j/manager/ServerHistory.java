package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the server accepted, in the order of its revisions, which all kinds share: who held the lease, and who wrote.
 * Made of watches that are taken up again where they ended, so that nothing is missed.
 */
final class ServerHistory {

    private final ApiConnection connection;
    private final Thread leases;
    private final Thread writes;
    private final NavigableMap<Long, String> holders = new ConcurrentSkipListMap<>();
    private final NavigableMap<Long, String> writers = new ConcurrentSkipListMap<>();
    private volatile boolean closed;

    ServerHistory(ApiConnection connection, String namespace) {
        this.connection = connection;
        leases = follow("/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases", this::lease);
        writes = follow("/api/v1/namespaces/" + namespace + "/configmaps", this::write);
    }

    private interface Reader {
        void read(long revision, boolean deleted, JsonNode object);
    }

    private Thread follow(String path, Reader reader) {
        Thread thread = new Thread(() -> followAll(path, reader), "history");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void followAll(String path, Reader reader) {
        String revision = "0";
        while (!closed) {
            try (ApiStream stream = connection.stream(ApiRequest.of("watch", "GET", path)
                            .withTimeout(Duration.ofSeconds(5))
                            .withQuery(Map.of("watch", List.of("true"), "resourceVersion", List.of(revision))));
                    BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                stream.idleTimeout(Duration.ofSeconds(5));
                for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                    JsonNode event = KubernetesJson.mapper().readTree(line);
                    JsonNode object = event.path("object");
                    if (event.path("type").asText().equals("ERROR")) {
                        // The server was restarted without its history; start with its current state.
                        revision = "0";
                        break;
                    }
                    revision = object.path("metadata").path("resourceVersion").asText();
                    reader.read(
                            Long.parseLong(revision),
                            event.path("type").asText().equals("DELETED"),
                            object);
                }
            } catch (ApiException | IOException e) {
                // The server is unavailable or silent; continue where the watch ended.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    private void lease(long revision, boolean deleted, JsonNode object) {
        holders.put(
                revision,
                deleted ? "" : object.path("spec").path("holderIdentity").asText(""));
    }

    private void write(long revision, boolean deleted, JsonNode object) {
        JsonNode annotations = object.path("metadata").path("annotations");
        String done = annotations.path("done").asText("");
        if (!deleted
                && !done.isEmpty()
                && done.equals(object.path("data").path("tick").asText())) {
            writers.put(revision, annotations.path("writer").asText());
        }
    }

    /** The identity in the newest lease, {@code ""} without one. */
    String holder() {
        return holders.isEmpty() ? "" : holders.lastEntry().getValue();
    }

    /** How many writes there have been. */
    int writes() {
        return writers.size();
    }

    /** Who wrote last. */
    String lastWriter() {
        return writers.isEmpty() ? "" : writers.lastEntry().getValue();
    }

    /** Checks that in no term of the lease two replicas wrote. */
    void checkTerms() {
        NavigableMap<Long, String> terms = new TreeMap<>();
        String holder = "";
        for (Map.Entry<Long, String> seen : holders.entrySet()) {
            if (!seen.getValue().equals(holder)) {
                terms.put(seen.getKey(), seen.getValue());
                holder = seen.getValue();
            }
        }
        for (Map.Entry<Long, String> term : terms.entrySet()) {
            Long next = terms.higherKey(term.getKey());
            Set<String> inTerm =
                    new TreeSet<>(writers.subMap(term.getKey(), true, next == null ? Long.MAX_VALUE : next, false)
                            .values());
            assertThat(inTerm)
                    .as(
                            "who wrote from revision %d, when %s took the lease, to %s",
                            term.getKey(), term.getValue(), next)
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    /** Ends the watches. */
    void end() throws InterruptedException {
        closed = true;
        leases.join();
        writes.join();
    }
}
