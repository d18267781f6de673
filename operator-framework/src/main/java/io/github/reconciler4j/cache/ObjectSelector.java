package io.github.reconciler4j.cache;

import java.util.Optional;

/**
 * What to watch of a kind. The server selects, so nothing else is sent (as to shards, see there). Immutable.
 *
 * @param labels a label selector as {@code kubectl -l} takes it; {@code ""} is everything
 * @param fields a field selector as {@code kubectl --field-selector} takes it and the server supports for the kind;
 *     {@code ""} is everything
 * @param shard the part of the objects that is meant; empty is all of them
 * @since 0.1.0
 */
public record ObjectSelector(String labels, String fields, Optional<Shard> shard) {

    private static final ObjectSelector EVERYTHING = new ObjectSelector("", "", Optional.empty());

    /** Selects all objects. */
    public static ObjectSelector everything() {
        return EVERYTHING;
    }

    /** The same with another label selector. */
    public ObjectSelector withLabels(String newLabels) {
        return new ObjectSelector(newLabels, fields, shard);
    }

    /** The same with another field selector. */
    public ObjectSelector withFields(String newFields) {
        return new ObjectSelector(labels, newFields, shard);
    }

    /** The same, but only one of several parts. */
    public ObjectSelector withShard(Shard part) {
        return new ObjectSelector(labels, fields, Optional.of(part));
    }
}
