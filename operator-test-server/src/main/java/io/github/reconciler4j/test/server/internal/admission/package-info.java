/** Admission: webhooks and policies that change and check what is written. */
@NullMarked
package io.github.reconciler4j.test.server.internal.admission;

import org.jspecify.annotations.NullMarked;
