package io.github.reconciler4j.cache.internal;

/** Makes entries out of what was read. To be used by one thread. */
interface BodyEncoder {

    /** Keeps the JSON as it is. */
    BodyEncoder PLAIN = (draft, json) -> new Entry(draft, json.toArray(), BodyForm.PLAIN);

    /** Keeps the header only. */
    BodyEncoder HEADER_ONLY = (draft, json) -> new Entry(draft, BodyForm.NONE, BodyForm.NONE);

    /** Keeps what another encoder makes, and what is decoded of it. */
    static BodyEncoder shared(BodyEncoder packing) {
        return (draft, json) -> {
            Entry packed = packing.encode(draft, json);
            return new Entry(draft, new SharedBody(packed.body(), packed.form()), BodyForm.SHARED);
        };
    }

    /** Makes an entry; draft and JSON may be used again afterwards. */
    Entry encode(HeaderDraft draft, Bytes json);
}
