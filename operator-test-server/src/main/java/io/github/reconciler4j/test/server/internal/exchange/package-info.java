/** Requests and answers, free of any transport. */
@NullMarked
package io.github.reconciler4j.test.server.internal.exchange;

import org.jspecify.annotations.NullMarked;
