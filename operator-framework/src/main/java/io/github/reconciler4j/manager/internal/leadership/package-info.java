/** Connects the lifecycle to leader election, or stands for it where there is none. */
@NullMarked
package io.github.reconciler4j.manager.internal.leadership;

import org.jspecify.annotations.NullMarked;
