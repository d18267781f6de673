/** Pages for the users of an operator's kinds, written from the schemas of their definitions. */
@NullMarked
package io.github.reconciler4j.generator.docs;

import org.jspecify.annotations.NullMarked;
