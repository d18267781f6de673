/** A small but complete operator: a {@code WebApp} becomes a Deployment, a Service and a ConfigMap. */
@NullMarked
package io.github.reconciler4j.sample;

import org.jspecify.annotations.NullMarked;
