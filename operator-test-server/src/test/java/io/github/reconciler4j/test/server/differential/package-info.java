/**
 * The proof that the server inside the JVM behaves as kube-apiserver does: the same requests go to both, and what comes
 * back is compared. The requests are in the resources of this package: {@code transcripts/*.yaml}; what may differ, and
 * why, is in {@code known-differences.yaml}.
 */
@NullMarked
package io.github.reconciler4j.test.server.differential;

import org.jspecify.annotations.NullMarked;
