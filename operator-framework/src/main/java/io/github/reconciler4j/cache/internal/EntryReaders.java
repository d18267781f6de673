package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.scheme.KindInfo;

/** Puts together how objects of a kind are taken in. */
final class EntryReaders {

    private EntryReaders() {}

    /** A reader for one thread, for objects that are kept for a short time only. */
    static EntryReader createForWrites(KindInfo info, CacheContext context) {
        boolean header = context.options().of(info.kind()).storage() == StorageForm.METADATA;
        return create(info, context, header ? BodyEncoder.HEADER_ONLY : BodyEncoder.PLAIN);
    }

    /** A reader for one thread. */
    static EntryReader create(KindInfo info, CacheContext context, DictionaryKeeper dictionaries) {
        BodyEncoder encoder = switch (context.options().of(info.kind()).storage()) {
            case COMPACT -> new CompactEncoder(dictionaries);
            case ENCODED -> BodyEncoder.PLAIN;
            case METADATA -> BodyEncoder.HEADER_ONLY;
        };
        return create(info, context, encoder);
    }

    private static EntryReader create(KindInfo info, CacheContext context, BodyEncoder encoder) {
        KindCacheOptions options = context.options().of(info.kind());
        Transformer transformer = options.transform()
                .map(transform ->
                        new Transformer(info, transform, context.connection().mapper()))
                .orElse(null);
        return new EntryReader(
                new ItemReader(options.dropLastApplied()), new HeaderReader(context.pool()), encoder, transformer);
    }
}
