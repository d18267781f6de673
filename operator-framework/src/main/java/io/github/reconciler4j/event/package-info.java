/**
 * What happens to objects, with the objects decoded only when somebody asks for them.
 */
@NullMarked
package io.github.reconciler4j.event;

import org.jspecify.annotations.NullMarked;
