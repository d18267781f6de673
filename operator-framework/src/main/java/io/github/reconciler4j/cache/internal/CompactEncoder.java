package io.github.reconciler4j.cache.internal;

/** Deflates bodies against the dictionary of their kind. To be used by one thread; the keeper is shared. */
final class CompactEncoder implements BodyEncoder {

    private final DictionaryKeeper keeper;

    CompactEncoder(DictionaryKeeper keeper) {
        this.keeper = keeper;
    }

    @Override
    public Entry encode(HeaderDraft draft, Bytes json) {
        DeflatedForm form = keeper.current();
        byte[] packed = form.encode(json);
        keeper.encoded(json, packed.length);
        return packed.length < json.size()
                ? new Entry(draft, packed, form)
                : new Entry(draft, json.toArray(), BodyForm.PLAIN);
    }
}
