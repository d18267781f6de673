package io.github.reconciler4j.cache.internal.writes;

import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ResourceVersions;
import io.github.reconciler4j.cache.internal.watch.ExpectedKind;
import io.github.reconciler4j.cache.internal.watch.ListReader;
import io.github.reconciler4j.cache.internal.watch.PartFilter;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.writes.PendingWrite.Outcome;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the current state of one object from the API server, as the watch selects it. Uses a list, because its response has
 * a version, which makes the result comparable with what the watch delivers. Thread-safe.
 *
 * @since 0.1.0
 */
public final class LiveLookup {

    private static final int MAX_ATTEMPTS = 4;

    private final ApiConnection connection;
    private final ExpectedKind expected;
    private final EntryReader.Factory readers;
    private final Function<String, @Nullable Scope> scopes;
    private final Supplier<PartFilter> parts;
    private final BooleanSupplier bodies;

    /**
     * Create it.
     *
     * @param expected what the object must be
     * @param readers create readers of objects
     * @param scopes returns what is watched of a namespace, null for nothing
     * @param parts returns which objects are selected, as far as parts decide that
     * @param bodies returns whether to read objects with their bodies
     */
    public LiveLookup(
            ApiConnection connection,
            ExpectedKind expected,
            EntryReader.Factory readers,
            Function<String, @Nullable Scope> scopes,
            Supplier<PartFilter> parts,
            BooleanSupplier bodies) {
        this.connection = connection;
        this.expected = expected;
        this.readers = readers;
        this.scopes = scopes;
        this.parts = parts;
        this.bodies = bodies;
    }

    /**
     * Return what there is now; still unknown if the versions of the API server are no numbers.
     *
     * @param timeout the time limit of all attempts together
     * @throws ApiException if the API server does not answer
     */
    PendingWrite find(ObjectKey key, Duration timeout) {
        Scope scope = scopes.apply(key.namespace());
        if (scope == null) {
            return PendingWrite.unknown("", ""); // not watched any more
        }
        boolean withBodies = bodies.getAsBoolean();
        PartFilter filter = parts.get();
        byte[] body =
                send(scope.list(key, new Scope.Form(withBodies, "")), timeout).body();
        EntryReader reader = readers.createForShortTime(withBodies);
        AtomicReference<@Nullable Entry> found = new AtomicReference<>();
        try {
            String version = new ListReader(expected)
                    .read(new JsonReader(body, body.length), reader, header -> {
                        if (filter.selects(header)) {
                            found.set(reader.entry());
                        }
                    })
                    .version();
            Entry entry = found.get();
            String uid = entry == null ? "" : entry.uid();
            Outcome outcome = ResourceVersions.isNumber(version) ? Outcome.WRITTEN : Outcome.UNKNOWN;
            return new PendingWrite(version, uid, entry, outcome, "");
        } catch (IOException e) {
            throw new ApiException("list " + readers.info().resource() + ": " + e.getMessage(), ErrorDetails.none());
        }
    }

    /** A connection that was reset says nothing about the next one. */
    private ApiResponse send(ApiRequest request, Duration timeout) {
        long start = TimeSource.system().nanoTime();
        Duration left = timeout;
        for (int attempt = 1; ; attempt++) {
            try {
                return connection.send(request.withTimeout(left));
            } catch (ConnectionException e) {
                left = timeout.minusNanos(TimeSource.system().nanoTime() - start);
                if (e.problem() != ConnectionException.Problem.CONNECTION_RESET
                        || attempt == MAX_ATTEMPTS
                        || left.isNegative()
                        || left.isZero()) {
                    throw e;
                }
            }
        }
    }
}
