package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.Shard;
import io.github.reconciler4j.scheme.LabelSelector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far the watch of a scope has come, and what it brings. Written by its reflector, read by everybody. */
final class Progress {

    private final LabelSelector labels;
    private final @Nullable FieldTerms fields;
    private final Optional<Shard> shard;
    private volatile String position = "";

    Progress(ObjectSelector selector) {
        this.labels = LabelSelector.parse(selector.labels());
        this.fields = FieldTerms.parseIfKnown(selector.fields());
        this.shard = selector.shard();
    }

    /** Everything up to this version is in the store; empty before the first list. */
    String position() {
        return position;
    }

    void position(String version) {
        position = version;
    }

    /** Whether it can be told without the server what the watch brings. */
    boolean isSelectionKnown() {
        return fields != null;
    }

    /** Whether the watch brings an object; the header as the server has it, before any transform. */
    boolean selects(HeaderDraft header) {
        boolean ofShard = shard.isEmpty() || shard.get().contains(header.uid);
        return ofShard
                && labels.matches(SmallMap.of(header.labels))
                && (fields == null || fields.matches(header.namespace, header.name));
    }
}
