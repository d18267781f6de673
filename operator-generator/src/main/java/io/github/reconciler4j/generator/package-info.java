/**
 * Writes what an operator is installed with from the operator's own code: CustomResourceDefinitions, roles, a Helm chart,
 * plain manifests and an OLM bundle, and checks them. It knows no build tool: {@code reconciler4j-maven-plugin} calls it,
 * and {@link io.github.reconciler4j.generator.Main} is a program for everything else.
 *
 * <p>{@code crd} generates definitions, {@code compatibility} compares them with those of an earlier release. All output
 * is stable byte for byte: it depends on the input alone, not on time, locale or order of files.
 */
@NullMarked
package io.github.reconciler4j.generator;

import org.jspecify.annotations.NullMarked;
