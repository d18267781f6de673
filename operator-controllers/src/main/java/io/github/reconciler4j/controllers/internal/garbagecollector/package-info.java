/** The garbage collector: deletes objects whose owners are gone, and lets owners wait for the objects they own. */
@NullMarked
package io.github.reconciler4j.controllers.internal.garbagecollector;

import org.jspecify.annotations.NullMarked;
