/**
 * Measurements: of single steps with JMH, and of memory and whole processes with main classes.
 */
@NullMarked
package io.github.reconciler4j.benchmarks;

import org.jspecify.annotations.NullMarked;
