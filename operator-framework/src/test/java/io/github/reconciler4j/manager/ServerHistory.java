package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.WatchedResource;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What the server accepted, in the order of its revisions, which all kinds share: who held the lease, and who wrote.
 */
final class ServerHistory {

    private final WatchedResource leases;
    private final WatchedResource writes;
    private final NavigableMap<Long, Term> holders = new ConcurrentSkipListMap<>();
    private final NavigableMap<Long, String> writers = new ConcurrentSkipListMap<>();

    /** A user who changes the holder by hand does not change the number of transitions. */
    private record Term(String holder, int transitions) {}

    ServerHistory(ApiConnection connection, String namespace) {
        leases = new WatchedResource(
                connection, "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases", this::lease);
        writes = new WatchedResource(connection, "/api/v1/namespaces/" + namespace + "/configmaps", this::write);
    }

    private void lease(long revision, boolean deleted, JsonNode object) {
        holders.put(
                revision,
                new Term(
                        deleted
                                ? ""
                                : object.path("spec").path("holderIdentity").asText(""),
                        object.path("spec").path("leaseTransitions").asInt()));
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
        return holders.isEmpty() ? "" : holders.lastEntry().getValue().holder();
    }

    /** How many writes there have been. */
    int writes() {
        return writers.size();
    }

    /** Who wrote last. */
    String lastWriter() {
        return writers.isEmpty() ? "" : writers.lastEntry().getValue();
    }

    /** Checks that in no term of the lease two replicas wrote, as far as the terms are known: a watch may lag behind. */
    void checkTerms() {
        NavigableMap<Long, Term> terms = new TreeMap<>();
        long known = Long.MIN_VALUE;
        Term last = new Term("", 0);
        for (Map.Entry<Long, Term> seen : holders.entrySet()) {
            known = seen.getKey();
            if (!seen.getValue().equals(last)) {
                terms.put(seen.getKey(), seen.getValue());
                last = seen.getValue();
            }
        }
        for (Map.Entry<Long, Term> term : terms.entrySet()) {
            Long next = terms.higherKey(term.getKey());
            Set<String> inTerm = new TreeSet<>(writers.subMap(term.getKey(), true, next == null ? known : next, false)
                    .values());
            assertThat(inTerm)
                    .as("who wrote from revision %d, with %s, to %s", term.getKey(), term.getValue(), next)
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    /** Ends the watches. */
    void end() throws InterruptedException {
        leases.end();
        writes.end();
    }
}
