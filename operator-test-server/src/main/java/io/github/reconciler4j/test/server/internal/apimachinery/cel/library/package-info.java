/** The functions that Kubernetes adds to CEL, one class per topic, and the values they make. */
@NullMarked
package io.github.reconciler4j.test.server.internal.apimachinery.cel.library;

import org.jspecify.annotations.NullMarked;
