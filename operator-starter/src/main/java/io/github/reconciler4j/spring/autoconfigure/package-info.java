/** Auto-configuration of a manager, its client and its controllers from {@code operator.*} properties. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
