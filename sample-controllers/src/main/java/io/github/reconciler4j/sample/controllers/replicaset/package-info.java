/** The ReplicaSet controller: keeps as many pods as a ReplicaSet asks for. */
@NullMarked
package io.github.reconciler4j.sample.controllers.replicaset;

import org.jspecify.annotations.NullMarked;
