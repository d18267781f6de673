/**
 * Annotations for rules that the API server checks itself, without a call of a webhook. They have an effect at build time only:
 * {@code reconciler4j-maven-plugin} writes a ValidatingAdmissionPolicy or MutatingAdmissionPolicy and its binding into the chart
 * and the manifests.
 *
 * <p>A rule about one field or about several fields of a custom resource belongs into its definition. A policy is for rules
 * that a definition cannot express: rules about the user, rules with exceptions by namespace, rules that only warn, and rules
 * about kinds of others.
 */
@Incubating
@NullMarked
package io.github.reconciler4j.policy;

import io.github.reconciler4j.support.Incubating;
import org.jspecify.annotations.NullMarked;
