/**
 * What rules cost, in the units of the server: at most, estimated from the sizes that a schema allows, and in fact, counted
 * while a rule runs. The server refuses definitions with rules that may cost too much, and ends rules that do.
 */
@NullMarked
package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import org.jspecify.annotations.NullMarked;
