package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An item of a list, or the object of an event, that cannot be an object of the kind: null, of another kind, without a name, or with
 * metadata that is no JSON. One of these must not keep all others from the cache. Immutable.
 *
 * @param key its namespace and name; null as far as they cannot be read
 * @param version its version as far as it can be read, otherwise empty
 * @param problem what it is, never its content
 * @since 0.1.0
 */
public record SetAside(@Nullable ObjectKey key, String version, String problem) {

    /**
     * Read the value that comes next.
     *
     * @return null if it can be an object of the kind, which the reader has then with its header
     * @throws IOException if the stream ends or fails, or what follows cannot be found
     */
    static @Nullable SetAside read(JsonReader from, EntryReader reader, ExpectedKind expected) throws IOException {
        if (from.peek() != '{') {
            boolean isNull = from.peek() == 'n';
            from.skip();
            return new SetAside(null, "", isNull ? "null in the place of an object" : "a value that is no object");
        }
        reader.read(from);
        return check(reader, expected);
    }

    /** Check the object that was read last. */
    static @Nullable SetAside check(EntryReader reader, ExpectedKind expected) {
        MutableHeader header;
        try {
            header = reader.header();
        } catch (IOException e) { // it was read from memory, so the stream is as good as before
            return new SetAside(null, "", "an object whose metadata is not valid JSON");
        }
        String problem = expected.problem(reader.item(), header);
        if (problem.isEmpty()) {
            return null;
        }
        boolean named = !header.name().isBlank();
        return new SetAside(named ? new ObjectKey(header.namespace(), header.name()) : null, header.version(), problem);
    }
}
