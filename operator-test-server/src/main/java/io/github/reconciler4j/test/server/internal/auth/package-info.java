/** Authentication and authorization: tokens and RBAC. */
@NullMarked
package io.github.reconciler4j.test.server.internal.auth;

import org.jspecify.annotations.NullMarked;
