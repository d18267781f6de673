/** The ReplicaSet controller: keeps as many pods as a ReplicaSet asks for. */
@NullMarked
package io.github.reconciler4j.controllers.internal.replicaset;

import org.jspecify.annotations.NullMarked;
