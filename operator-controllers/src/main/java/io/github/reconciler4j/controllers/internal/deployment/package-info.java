/** The Deployment controller: rolls a Deployment out by scaling ReplicaSets, one per pod template. */
@NullMarked
package io.github.reconciler4j.controllers.internal.deployment;

import org.jspecify.annotations.NullMarked;
