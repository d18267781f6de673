package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.KubernetesJson;

/** Puts together how objects of a kind are taken in. */
final class EntryReaders {

    private EntryReaders() {}

    /** A reader for one thread, for objects that are kept for a short time only. */
    static EntryReader createForWrites(KindInfo info, CacheContext context) {
        BodyEncoder encoder = switch (context.options().of(info.kind()).storage()) {
            case METADATA -> BodyEncoder.HEADER_ONLY;
            case DECODED -> BodyEncoder.shared(BodyEncoder.PLAIN);
            case COMPACT, ENCODED -> BodyEncoder.PLAIN;
        };
        return create(info, context, encoder);
    }

    /** A reader for one thread. */
    static EntryReader create(KindInfo info, CacheContext context, DictionaryKeeper dictionaries) {
        BodyEncoder encoder = switch (context.options().of(info.kind()).storage()) {
            case COMPACT -> new CompactEncoder(dictionaries);
            case DECODED -> BodyEncoder.shared(new CompactEncoder(dictionaries));
            case ENCODED -> BodyEncoder.PLAIN;
            case METADATA -> BodyEncoder.HEADER_ONLY;
        };
        return create(info, context, encoder);
    }

    private static EntryReader create(KindInfo info, CacheContext context, BodyEncoder encoder) {
        KindCacheOptions options = context.options().of(info.kind());
        Transformer transformer = options.transform()
                .map(transform -> new Transformer(info, transform, KubernetesJson.mapper()))
                .orElse(null);
        return new EntryReader(
                new ItemReader(options.dropLastApplied()), new HeaderReader(context.pool()), encoder, transformer);
    }
}
