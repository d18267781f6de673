package io.github.reconciler4j.cache.internal;

import java.io.IOException;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/** Takes in single objects: reads one from a stream, then, if wanted, makes an entry of it. To be used by one thread. */
final class EntryReader {

    private final ItemReader items;
    private final HeaderReader headers;
    private final BodyEncoder encoder;
    private final @Nullable Transformer transformer;
    private HeaderDraft draft = new HeaderDraft();

    EntryReader(ItemReader items, HeaderReader headers, BodyEncoder encoder, @Nullable Transformer transformer) {
        this.items = items;
        this.headers = headers;
        this.encoder = encoder;
        this.transformer = transformer;
    }

    /** Reads the object that comes next. */
    void read(JsonScanner from) throws IOException {
        items.read(from);
    }

    /** The object read last. */
    ItemReader item() {
        return items;
    }

    /** The JSON of the object read last, valid until the next one is read. */
    Bytes json() {
        return items.object();
    }

    /**
     * The metadata of the object read last, valid until the next one is read; null if it is not the metadata of an
     * object.
     */
    @Nullable
    HeaderDraft header() throws IOException {
        try {
            draft = headers.read(json().array(), items.metadataStart(), items.metadataEnd());
            return draft;
        } catch (StreamCorruptedException e) {
            return null;
        }
    }

    /** Makes an entry of the object read last, whose header was read; null if it has no name. */
    @Nullable
    Entry entry() throws IOException {
        if (draft.name.isBlank()) {
            return null;
        }
        if (transformer != null && transformer.transform(items)) {
            header();
        }
        return encoder.encode(draft, json());
    }
}
