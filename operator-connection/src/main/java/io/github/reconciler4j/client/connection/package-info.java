/**
 * Connections to one API server: requests, responses and streams, below the level of kinds and objects.
 * {@link io.github.reconciler4j.client.connection.ApiConnection} sends an
 * {@link io.github.reconciler4j.client.connection.ApiRequest} and returns an
 * {@link io.github.reconciler4j.client.connection.ApiResponse} or an {@link io.github.reconciler4j.client.connection.ApiStream}.
 */
@NullMarked
package io.github.reconciler4j.client.connection;

import org.jspecify.annotations.NullMarked;
