/** The ReplicationController controller: keeps as many pods as a ReplicationController asks for. */
@NullMarked
package io.github.reconciler4j.controllers.internal.replicationcontroller;

import org.jspecify.annotations.NullMarked;
