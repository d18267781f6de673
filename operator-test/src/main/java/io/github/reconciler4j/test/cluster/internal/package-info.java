/** What clusters and the client without a server have in common. */
@NullMarked
package io.github.reconciler4j.test.cluster.internal;

import org.jspecify.annotations.NullMarked;
