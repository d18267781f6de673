/** Expectations of tests on objects in a cluster: each waits, within a bound, and says at its end what was last seen. */
@NullMarked
package io.github.reconciler4j.test.expect;

import org.jspecify.annotations.NullMarked;
