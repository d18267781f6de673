/** Auto-configuration of the operator's health. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
