/**
 * Shows readers the program's own writes before the watch delivers them.
 *
 * <p>A {@code WriteResponseHandler} takes what the API server answered to writes, {@code PendingWrites} keeps it until the
 * watch has passed it, and a {@code ReadView} combines it with the store. If an answer does not say what readers must
 * see, {@code LiveLookup} asks the API server.
 */
@NullMarked
package io.github.reconciler4j.cache.internal.writes;

import org.jspecify.annotations.NullMarked;
