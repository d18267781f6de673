package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import io.github.reconciler4j.cache.internal.json.MutableHeader;

/**
 * Turns what was read into an entry.
 *
 * @since 0.1.0
 */
public interface BodyEncoder {

    /** Keeps the JSON as it is. */
    BodyEncoder PLAIN = (header, json) -> new Entry(header, json.toArray(), BodyForm.PLAIN);

    /** Keeps the header only. */
    BodyEncoder HEADER_ONLY = (header, json) -> new Entry(header, BodyForm.NONE, BodyForm.NONE);

    /** Return an encoder that keeps what another one keeps, and what is decoded from it. */
    static BodyEncoder shared(BodyEncoder encoder) {
        return (header, json) -> {
            Entry encoded = encoder.encode(header, json);
            return new Entry(header, new SharedBody(encoded.body(), encoded.form()), BodyForm.SHARED);
        };
    }

    /** Return an entry; header and JSON can be reused afterwards. */
    Entry encode(MutableHeader header, ByteBuilder json);
}
