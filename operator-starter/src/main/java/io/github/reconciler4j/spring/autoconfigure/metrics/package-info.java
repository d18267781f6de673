/** Auto-configuration of the operator's metrics. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
