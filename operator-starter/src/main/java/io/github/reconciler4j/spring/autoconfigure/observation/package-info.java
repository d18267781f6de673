/** Auto-configuration of the observations of the operator. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
