/**
 * Server-side apply: who owns which field, what merging makes of an object, and what is written into its
 * {@code managedFields}.
 *
 * <ul>
 *   <li>{@code ServerSideApply} is the front door.</li>
 *   <li>{@code FieldSet} is a set of field paths, in the order and with the JSON form of {@code FieldsV1}.</li>
 *   <li>The walkers (validate, list fields, merge, compare, remove) follow a type through a tree.</li>
 * </ul>
 */
@NullMarked
package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import org.jspecify.annotations.NullMarked;
