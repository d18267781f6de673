/** The controllers, each in a package of its own. */
@NullMarked
package io.github.reconciler4j.controllers.internal;

import org.jspecify.annotations.NullMarked;
