/** The Deployment controller: rolls a Deployment out by scaling ReplicaSets, one per pod template. */
@NullMarked
package io.github.reconciler4j.sample.controllers.deployment;

import org.jspecify.annotations.NullMarked;
