/** Starts and stops components in order. {@code Lifecycle} decides when, and explains the locks; {@code ComponentRunner} runs one component. */
@NullMarked
package io.github.reconciler4j.manager.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
