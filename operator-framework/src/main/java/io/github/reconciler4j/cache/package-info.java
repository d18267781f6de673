/**
 * A local copy of watched kinds, kept current by list and watch.
 */
@NullMarked
package io.github.reconciler4j.cache;

import org.jspecify.annotations.NullMarked;
