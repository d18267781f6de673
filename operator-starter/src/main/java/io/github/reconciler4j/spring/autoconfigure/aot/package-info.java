/** Conditions that Spring has evaluated ahead of time, and what they depend on. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure.aot;

import org.jspecify.annotations.NullMarked;
