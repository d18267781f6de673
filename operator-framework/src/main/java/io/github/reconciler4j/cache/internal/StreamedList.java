package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.client.error.ApiException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the part of a watch that brings what there is, up to the bookmark that says that this was all. */
final class StreamedList {

    private static final String END = "k8s.io/initial-events-end";
    private static final int BAD_REQUEST = 400;
    private static final int INVALID = 422;

    private final WatchReader events;
    private final EntryReader reader;

    StreamedList(WatchReader events, EntryReader reader) {
        this.events = events;
        this.reader = reader;
    }

    /** Whether the server refused because it does not know this way of listing. */
    static boolean isRefusal(ApiException refused) {
        return refused.code() == BAD_REQUEST || refused.code() == INVALID;
    }

    /**
     * Reads up to the bookmark.
     *
     * @return the version of the list; null if the server showed by a bookmark of another kind, by silence or by ending
     *     the watch that it does not know this way of listing
     */
    @Nullable
    String read(Replacement replacement) throws IOException {
        try {
            return readToEnd(replacement);
        } catch (SocketTimeoutException e) {
            return null;
        }
    }

    private @Nullable String readToEnd(Replacement replacement) throws IOException {
        for (WatchReader.Type type = events.next(); type != null; type = events.next()) {
            switch (type) {
                case ADDED, MODIFIED -> replacement.take(reader, events.header());
                case DELETED -> replacement.remove(events.header());
                case ERROR -> throw WatchError.of(reader.json());
                case BOOKMARK -> {
                    return endVersion();
                }
            }
        }
        return null;
    }

    private @Nullable String endVersion() {
        HeaderDraft header = events.header();
        return "true".equals(SmallMap.of(header.annotations).get(END)) ? header.version : null;
    }
}
