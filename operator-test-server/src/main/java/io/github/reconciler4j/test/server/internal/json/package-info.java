/** Jackson trees: reading, writing and small look-ups. */
@NullMarked
package io.github.reconciler4j.test.server.internal.json;

import org.jspecify.annotations.NullMarked;
