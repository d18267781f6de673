/**
 * Types of built-in and custom resources: what merging, pruning, defaulting, validation and OpenAPI need to know.
 *
 * <ul>
 *   <li>{@code BuiltInTypes} holds the types of a real API server, recorded as data.</li>
 *   <li>{@code TypeSchemaReader} turns OpenAPI v3 schemas into {@code TypeSchema}s.</li>
 * </ul>
 */
@NullMarked
package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import org.jspecify.annotations.NullMarked;
