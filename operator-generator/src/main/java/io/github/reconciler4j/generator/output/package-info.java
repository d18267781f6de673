/**
 * Files from an operator's description: a Helm chart, plain manifests that are a kustomize base, and an OLM bundle. Fixed
 * parts are templates among the resources, where they read as what they become.
 */
@NullMarked
package io.github.reconciler4j.generator.output;

import org.jspecify.annotations.NullMarked;
