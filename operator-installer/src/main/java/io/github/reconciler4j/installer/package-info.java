/**
 * Installs the CustomResourceDefinitions of an operator when it starts.
 *
 * <p>This is an alternative to the chart for clusters where the operator itself may write definitions. It is off unless a
 * {@link io.github.reconciler4j.installer.CrdInstaller} is added to a manager; with Spring Boot the property
 * {@code reconciler4j.crds.install} does it. Start with {@link io.github.reconciler4j.installer.CrdInstaller}, whose
 * description says how replicas of different versions agree on a definition. {@code StorageMigration} rewrites objects that
 * are stored in a version that the operator drops, {@code ReleaseOrder} compares versions of the operator.
 */
@NullMarked
package io.github.reconciler4j.installer;

import org.jspecify.annotations.NullMarked;
