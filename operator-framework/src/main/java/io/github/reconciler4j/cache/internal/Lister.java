package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a whole list into a {@link Replacement}: at first from the server's watch cache, which is cheapest for both
 * sides; if the server cannot answer that way, in consistent pages; if a page is too late, all at once. To be used by
 * one thread.
 */
final class Lister {

    private static final Logger LOG = LoggerFactory.getLogger(Lister.class);
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final int GONE = 410;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int BAD_REQUEST = 400;

    private final Scope scope;
    private final Function<ApiRequest, ApiStream> connection;
    private final EntryReader reader;
    private final WatchOptions options;
    private final ListReader lists;

    /**
     * Creates it.
     *
     * @param connection sends requests
     * @param expected what the objects must be
     */
    Lister(
            Scope scope,
            Function<ApiRequest, ApiStream> connection,
            EntryReader reader,
            ExpectedKind expected,
            WatchOptions options) {
        this.scope = scope;
        this.connection = connection;
        this.reader = reader;
        this.lists = new ListReader(expected);
        this.options = options;
    }

    /**
     * Reads everything.
     *
     * @param seen the list must not be older than this version; {@code ""} if there is no bound
     * @return the version of the list
     */
    String list(String seen, Replacement replacement) throws IOException {
        try {
            return page(scope.list(seen.isEmpty() ? "0" : seen, 0, ""), replacement)
                    .version();
        } catch (ApiException e) {
            if (!isVersionProblem(e)) {
                throw e;
            }
            LOG.debug("The watch cache cannot serve a list of {}: {}", scope, e.getMessage());
        }
        return pages(replacement);
    }

    /** Whether the version asked for is why the server refused: it is too old, or the server is behind it. */
    private static boolean isVersionProblem(ApiException refused) {
        return refused.code() == GONE || isTooNew(refused) || refused.code() == BAD_REQUEST;
    }

    /** Whether the server refused because it does not know the version asked for yet. */
    static boolean isTooNew(ApiException refused) {
        return refused.code() == GATEWAY_TIMEOUT;
    }

    private String pages(Replacement replacement) throws IOException {
        ListReader.End end = page(scope.list("", options.pageSize(), ""), replacement);
        while (!end.next().isEmpty()) {
            try {
                end = page(scope.list("", options.pageSize(), end.next()), replacement);
            } catch (ApiException e) {
                if (e.code() != GONE) {
                    throw e;
                }
                LOG.debug("The list of {} changed too fast for pages: {}", scope, e.getMessage());
                replacement.clear();
                end = page(scope.list("", 0, ""), replacement);
            }
        }
        return end.version();
    }

    private ListReader.End page(ApiRequest request, Replacement replacement) throws IOException {
        try (ApiStream stream = connection.apply(request.withGzip(options.gzipLists()))) {
            stream.idleTimeout(IDLE);
            return lists.read(new JsonScanner(stream), reader, header -> replacement.take(reader, header));
        }
    }
}
