package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.OwnerRef;
import java.util.Collection;
import java.util.List;

/** Indexes over headers. Their names begin with a character that users do not choose. */
final class BuiltInIndexes {

    /** By the uids of owners. */
    static final String OWNERS = "\0owners";

    private BuiltInIndexes() {}

    static Collection<String> owners(Entry entry) {
        return entry.ownerReferences().stream().map(OwnerRef::uid).toList();
    }

    /** The name of the index by the values of a label. */
    static String label(String key) {
        return "\0label/" + key;
    }

    /** The function of that index. */
    static TermFunction labelTerms(String key) {
        return entry -> {
            String value = entry.label(key);
            return value == null ? List.of() : List.of(value);
        };
    }
}
