/** The verbs of a resource: get, list, watch, create, update, patch, delete, and what surrounds a write. */
@NullMarked
package io.github.reconciler4j.test.server.internal.rest;

import org.jspecify.annotations.NullMarked;
