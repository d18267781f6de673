/** Auto-configuration of the actuator endpoint {@code reconciler4j}. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
