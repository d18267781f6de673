package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import io.github.reconciler4j.cache.internal.json.ItemReader;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the response to a watch request event by event, as it arrives. Confined to one thread.
 *
 * @since 0.1.0
 */
public final class WatchReader {

    private static final byte[] TYPE = ItemReader.quoted("type");
    private static final byte[] OBJECT = ItemReader.quoted("object");
    private static final String INITIAL_END = "k8s.io/initial-events-end";

    private final JsonReader from;
    private final EntryReader reader;
    private final ExpectedKind expected;
    private final ByteBuilder name = new ByteBuilder(64);
    private Consumer<SetAside> setAside;
    private MutableHeader header = new MutableHeader();

    /** Types of events. */
    public enum Type {
        /** An object appeared. */
        ADDED,
        /** An object changed. */
        MODIFIED,
        /** An object disappeared. */
        DELETED,
        /** Everything up to a version was sent. */
        BOOKMARK
    }

    /**
     * Create a reader.
     *
     * @param setAside receives the objects of events that cannot be objects of the kind
     */
    WatchReader(JsonReader from, EntryReader reader, ExpectedKind expected, Consumer<SetAside> setAside) {
        this.from = from;
        this.setAside = setAside;
        this.reader = reader;
        this.expected = expected;
    }

    /**
     * Wait for the next event; its object is in the entry reader then. Null at the end of the watch. Events whose object cannot be one
     * of the kind are set aside.
     *
     * @throws ApiException if the event says that the API server cannot continue
     * @throws StreamCorruptedException if what comes is no event of the kind
     */
    @Nullable
    Type next() throws IOException {
        while (from.peek() >= 0) {
            Type type = event();
            if (type != null) {
                return type;
            }
        }
        return null;
    }

    /** Read an event; null if its object was set aside. */
    private @Nullable Type event() throws IOException {
        String type = "";
        boolean object = false;
        boolean whole = false;
        SetAside bad = null;
        from.open('{');
        while (from.nextField(name)) {
            if (name.contentEquals(OBJECT)) {
                whole = from.peek() == '{';
                bad = SetAside.read(from, reader, expected);
                object = true;
            } else if (name.contentEquals(TYPE)) {
                type = from.text();
            } else {
                from.skip();
            }
        }
        if (!object) {
            throw new StreamCorruptedException("a watch event has no object");
        }
        if (!whole && (type.equals("ERROR") || type.equals("BOOKMARK"))) {
            throw new StreamCorruptedException("a watch event contains no object");
        }
        return check(type, bad);
    }

    private @Nullable Type check(String type, @Nullable SetAside bad) throws IOException {
        if (type.equals("ERROR")) {
            throw error(reader.json());
        }
        Type known = switch (type) {
            case "ADDED" -> Type.ADDED;
            case "MODIFIED" -> Type.MODIFIED;
            case "DELETED" -> Type.DELETED;
            case "BOOKMARK" -> Type.BOOKMARK;
            default -> throw new StreamCorruptedException("a watch event is of no known type");
        };
        if (known != Type.BOOKMARK && bad != null) {
            setAside.accept(bad);
            return null;
        }
        header = reader.lastHeader();
        if (known == Type.BOOKMARK && (bad == null ? header.version() : bad.version()).isEmpty()) {
            throw new StreamCorruptedException("a bookmark has no resourceVersion");
        }
        return known;
    }

    /** Return the metadata of the object of the event, valid until the next event is read. */
    MutableHeader header() {
        return header;
    }

    /**
     * Read the objects that the watch streams first, up to the bookmark that ends them.
     *
     * @return the version of the list; null if the API server showed by another bookmark, by silence or by ending the watch
     *     that it does not stream lists
     */
    @Nullable
    String readInitial(ListSnapshot list, Runnable afterEach) throws IOException {
        Consumer<SetAside> afterwards = setAside;
        setAside = list::setAside;
        try {
            for (Type type = next(); type != null; type = next()) {
                switch (type) {
                    case ADDED, MODIFIED -> list.add(reader, header);
                    case DELETED -> list.remove(header);
                    case BOOKMARK -> {
                        return "true".equals(header.annotation(INITIAL_END)) ? header.version() : null;
                    }
                }
                afterEach.run();
            }
            return null;
        } catch (SocketTimeoutException e) {
            return null;
        } finally {
            setAside = afterwards;
        }
    }

    /** Read the status that an event of type {@code ERROR} contains. */
    private static ApiException error(ByteBuilder status) throws IOException {
        JsonReader json = new JsonReader(status.array(), status.size());
        long code = 0;
        String reason = "";
        String message = "";
        long seconds = 0;
        json.open('{');
        for (String field = json.nextName(); field != null; field = json.nextName()) {
            switch (field) {
                case "code" -> code = json.number();
                case "reason" -> reason = json.text();
                case "message" -> message = json.text();
                case "details" -> seconds = retryAfter(json);
                default -> json.skip();
            }
        }
        ErrorDetails details = ErrorDetails.of((int) Math.min(Math.max(code, 0), Integer.MAX_VALUE), reason);
        return new ApiException(
                "the API server ended the watch: " + message,
                seconds > 0 ? details.withRetryAfter(Duration.ofSeconds(seconds)) : details);
    }

    private static long retryAfter(JsonReader json) throws IOException {
        long seconds = 0;
        if (!json.openIf('{')) {
            json.skip();
            return seconds;
        }
        for (String field = json.nextName(); field != null; field = json.nextName()) {
            if (field.equals("retryAfterSeconds")) {
                seconds = json.number();
            } else {
                json.skip();
            }
        }
        return seconds;
    }
}
