/** The examples of the documentation, compiled and run. */
package io.github.reconciler4j.examples;
