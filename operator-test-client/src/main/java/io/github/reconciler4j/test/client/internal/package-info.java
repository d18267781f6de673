/** The connection of the client to the server, and what the server has at first. */
@NullMarked
package io.github.reconciler4j.test.client.internal;

import org.jspecify.annotations.NullMarked;
