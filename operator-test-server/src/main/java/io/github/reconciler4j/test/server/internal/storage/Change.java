package io.github.reconciler4j.test.server.internal.storage;

import org.jspecify.annotations.Nullable;

/**
 * One write to one object.
 *
 * @param version the version of the write
 * @param before the object before it; null when the write created it
 * @param after the object after it; null when the write removed it
 * @param last what watchers see: the new object, or for a removal its last state with the version of the removal
 */
public record Change(
        long version,
        @Nullable StoredObject before,
        @Nullable StoredObject after,
        StoredObject last) {}
