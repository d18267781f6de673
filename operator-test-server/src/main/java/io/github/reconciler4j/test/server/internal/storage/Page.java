package io.github.reconciler4j.test.server.internal.storage;

import java.util.List;

/**
 * A part of a list as it was at one version.
 *
 * @param version the version of the whole list
 * @param items the objects, in key order
 * @param lastKey the key of the last one looked at; meaningful when there are more
 * @param remaining how many keys follow, counted without regard to the filter
 */
public record Page(long version, List<StoredObject> items, String lastKey, boolean more, long remaining) {}
