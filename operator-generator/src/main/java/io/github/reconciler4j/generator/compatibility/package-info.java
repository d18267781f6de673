/**
 * Breaking changes of CustomResourceDefinitions: what an earlier release accepted, stored or showed, and the new one does
 * not.
 */
@NullMarked
package io.github.reconciler4j.generator.compatibility;

import org.jspecify.annotations.NullMarked;
