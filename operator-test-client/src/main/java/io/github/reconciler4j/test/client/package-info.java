/**
 * A client for unit tests of reconcilers: {@link io.github.reconciler4j.test.client.FakeClient} is the API server inside the JVM,
 * without a socket.
 */
@NullMarked
package io.github.reconciler4j.test.client;

import org.jspecify.annotations.NullMarked;
