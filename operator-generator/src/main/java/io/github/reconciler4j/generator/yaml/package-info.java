/** YAML as people write it for Kubernetes, from trees of maps, lists and scalars, and back. */
@NullMarked
package io.github.reconciler4j.generator.yaml;

import org.jspecify.annotations.NullMarked;
