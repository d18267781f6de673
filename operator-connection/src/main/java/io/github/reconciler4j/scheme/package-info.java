/**
 * Names of kinds and objects.
 *
 * <p>A {@link io.github.reconciler4j.scheme.KindName} names a kind; a {@link io.github.reconciler4j.scheme.KindInfo}
 * adds what requests need, and a {@link io.github.reconciler4j.scheme.Scheme} maps classes to kinds. An
 * {@link io.github.reconciler4j.scheme.ObjectKey} names an object of a kind, an
 * {@link io.github.reconciler4j.scheme.ObjectHeader} is its metadata, and a
 * {@link io.github.reconciler4j.scheme.LabelMatcher} selects objects by their labels. This package does not depend on others
 * of the framework.
 */
@NullMarked
package io.github.reconciler4j.scheme;

import org.jspecify.annotations.NullMarked;
