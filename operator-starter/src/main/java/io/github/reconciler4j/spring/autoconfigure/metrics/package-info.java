/** Auto-configuration of the metrics of the operator. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
