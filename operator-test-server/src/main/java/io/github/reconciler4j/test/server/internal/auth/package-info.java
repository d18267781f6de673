/** Who asks and whether they may: tokens, RBAC and access reviews. */
@NullMarked
package io.github.reconciler4j.test.server.internal.auth;

import org.jspecify.annotations.NullMarked;
