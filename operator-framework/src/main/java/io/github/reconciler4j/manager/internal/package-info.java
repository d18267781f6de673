/** Assembles the manager: what all components share, the permissions that they need and their health. */
@NullMarked
package io.github.reconciler4j.manager.internal;

import org.jspecify.annotations.NullMarked;
