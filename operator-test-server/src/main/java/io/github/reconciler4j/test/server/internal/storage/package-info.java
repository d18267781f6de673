/** The versioned object store: one revision counter, consistent snapshots and a change history per resource. */
@NullMarked
package io.github.reconciler4j.test.server.internal.storage;

import org.jspecify.annotations.NullMarked;
