/** Auto-configuration of the actuator endpoint {@code operator}. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
