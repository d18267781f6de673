package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.cache.internal.storage.ObjectStore.TermFunction;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.Collection;
import java.util.List;

/**
 * Indexes over headers. Their names start with a character that users do not choose.
 *
 * @since 0.1.0
 */
public final class HeaderIndexes {

    /** The name of the index by the uids of owners. */
    public static final String OWNERS = "\0owners";

    private HeaderIndexes() {}

    /** Return whether this is the name of an index over headers. */
    static boolean isOurs(String name) {
        return name.startsWith("\0");
    }

    /** Return the terms of the index by owners. */
    public static Collection<String> owners(Entry entry) {
        return entry.ownerReferences().stream().map(OwnerRef::uid).toList();
    }

    /** Return the name of the index by the values of a label. */
    public static String label(String key) {
        return "\0label/" + key;
    }

    /** Return the function of the index by the values of a label. */
    public static TermFunction labelTerms(String key) {
        return entry -> {
            String value = entry.label(key);
            return value == null ? List.of() : List.of(value);
        };
    }
}
