/**
 * The manager, which starts and stops the components of an operator in order and owns what they share.
 *
 * <p>{@link io.github.reconciler4j.manager.Manager} is the entry point: create it with
 * {@link io.github.reconciler4j.manager.ManagerOptions}, add controllers with {@code ControllerBuilder}, then start it and wait.
 * {@link io.github.reconciler4j.manager.ManagedComponent} is anything that it starts and stops, in the order of
 * {@link io.github.reconciler4j.manager.StartGroup}; {@link io.github.reconciler4j.manager.process.ProbeServer} is one of them.
 * {@link io.github.reconciler4j.manager.permission.RequiredPermission} declares what a component needs on the API server, and
 * {@link io.github.reconciler4j.manager.permission.PermissionReport} lists what is missing.
 *
 * <p>The heart of the implementation is {@code internal.lifecycle.Lifecycle}, which decides when components start and stop; its
 * comment explains the locks and the order. {@code ComponentRunner} runs one component. {@code internal.leadership} connects the
 * lifecycle to leader election. {@code internal.DefaultManager} assembles everything.
 */
@NullMarked
package io.github.reconciler4j.manager;

import org.jspecify.annotations.NullMarked;
