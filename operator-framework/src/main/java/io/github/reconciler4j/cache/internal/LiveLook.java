package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.PendingWrite.Fate;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server what there is of one object among those that are watched. A list answers that, and says at which
 * version, so that the answer can be laid over the store like a write. Safe for use by many threads.
 */
final class LiveLook {

    private static final int ATTEMPTS = 4;

    private final KindInfo info;
    private final CacheContext context;
    private final Function<String, @Nullable Scope> scopes;

    /**
     * Creates it.
     *
     * @param scopes what is watched of a namespace, null for nothing
     */
    LiveLook(KindInfo info, CacheContext context, Function<String, @Nullable Scope> scopes) {
        this.info = info;
        this.context = context;
        this.scopes = scopes;
    }

    /**
     * What there is now; still unknown if the server's versions are no numbers.
     *
     * @throws ApiException if the server does not say
     */
    PendingWrite look(ObjectKey key) {
        Scope scope = scopes.apply(key.namespace());
        if (scope == null) {
            return PendingWrite.unknown("", ""); // not watched any more
        }
        ApiResponse response = send(scope.list(key));
        EntryReader reader = EntryReaders.createForWrites(info, context);
        AtomicReference<@Nullable Entry> found = new AtomicReference<>();
        try {
            byte[] body = response.body();
            String version = new ListReader(new ExpectedKind(info, context.discovery()))
                    .read(new JsonScanner(body, body.length), reader, header -> found.set(reader.entry()))
                    .version();
            Entry entry = found.get();
            Fate fate = Versions.compare(version, "0").isPresent() ? Fate.WRITTEN : Fate.UNKNOWN;
            return new PendingWrite(version, entry == null ? "" : entry.uid(), entry, fate);
        } catch (IOException e) {
            throw new ApiException(
                    "list " + info.resource() + ": the answer is no list ("
                            + e.getClass().getName() + ")",
                    ErrorDetails.none());
        }
    }

    /** A connection that was cut says nothing of the next one. */
    private ApiResponse send(ApiRequest request) {
        for (int attempt = 1; ; attempt++) {
            try {
                return context.connection().send(request);
            } catch (ConnectionException e) {
                if (e.problem() != ConnectionException.Problem.CONNECTION_RESET || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
