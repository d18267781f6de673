/** The Job controller: runs pods until enough of them have succeeded, and counts each of them once. */
@NullMarked
package io.github.reconciler4j.controllers.internal.job;

import org.jspecify.annotations.NullMarked;
