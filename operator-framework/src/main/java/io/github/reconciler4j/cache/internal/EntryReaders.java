package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.scheme.KindInfo;

/** Puts together how objects of a kind are taken in. */
final class EntryReaders {

    private EntryReaders() {}

    /** A reader for one thread. */
    static EntryReader create(KindInfo info, CacheContext context, DictionaryKeeper dictionaries) {
        KindCacheOptions options = context.options().of(info.kind());
        Transformer transformer = options.transform()
                .map(transform ->
                        new Transformer(info, transform, context.connection().mapper()))
                .orElse(null);
        BodyEncoder encoder = switch (options.storage()) {
            case COMPACT -> new CompactEncoder(dictionaries);
            case ENCODED -> BodyEncoder.PLAIN;
            case METADATA -> BodyEncoder.HEADER_ONLY;
        };
        return new EntryReader(
                new ItemReader(options.dropLastApplied()), new HeaderReader(context.pool()), encoder, transformer);
    }
}
