/** Turns error responses of the API server into typed errors whose messages contain no values of fields. */
@NullMarked
package io.github.reconciler4j.client.internal.error;

import org.jspecify.annotations.NullMarked;
