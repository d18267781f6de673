/**
 * Reading and writing objects on the API server, and its typed errors.
 */
@NullMarked
package io.github.reconciler4j.client;

import org.jspecify.annotations.NullMarked;
