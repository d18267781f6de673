/**
 * The permissions that components need on the API server. A component declares each with
 * {@link io.github.reconciler4j.manager.permission.RequiredPermission}, and
 * {@link io.github.reconciler4j.manager.permission.PermissionReport} lists those that are missing.
 */
@NullMarked
package io.github.reconciler4j.manager.permission;

import org.jspecify.annotations.NullMarked;
