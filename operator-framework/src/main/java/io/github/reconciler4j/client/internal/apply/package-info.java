/**
 * Server-side apply that sends nothing if nothing would change. {@code ConditionalApply} compares with what it last applied,
 * {@code PreviousApply} asks the server after a restart, and {@code ManagedFieldsComparison} reads the answer.
 */
@NullMarked
package io.github.reconciler4j.client.internal.apply;

import org.jspecify.annotations.NullMarked;
