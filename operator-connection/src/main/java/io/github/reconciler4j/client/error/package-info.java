/**
 * Typed errors of the client. All of them extend {@link io.github.reconciler4j.client.error.ApiException}; their messages
 * name verb, resource, object and field, and never contain the content of an object.
 */
@NullMarked
package io.github.reconciler4j.client.error;

import org.jspecify.annotations.NullMarked;
