/** Auto-configuration of the health indicators of the operator and of the groups for Kubernetes probes. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
