/** Auto-configuration of a manager, its client and its controllers from {@code reconciler4j.*} properties. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
