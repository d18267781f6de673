/**
 * The connection to one API server: requests, responses and streams below the level of kinds and objects.
 */
@NullMarked
package io.github.reconciler4j.client.connection;

import org.jspecify.annotations.NullMarked;
