package io.github.reconciler4j.test.fullcluster.internal.nodes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Result;
import java.time.Clock;

/** Declares the controller that makes nodes ready, also those that a test creates. */
public final class NodeController {

    /** The name of the controller. */
    public static final String NAME = "kubelet-nodes";

    private NodeController() {}

    /** Return a builder of the controller for a manager. */
    public static AbstractControllerBuilder<?, ?> builder(Manager manager, Clock clock) {
        Client client = manager.client();
        return ControllerBuilder.of(Node.class).named(NAME).reconciler((node, context) -> {
            if (node.getMetadata().getDeletionTimestamp() == null) {
                settle(client, node, clock);
            }
            return Result.done();
        });
    }

    private static void settle(Client client, Node node, Clock clock) {
        try {
            client.editWithStatus(node, changed -> {
                if (changed.getSpec() == null) {
                    changed.setSpec(new NodeSpec());
                }
                NodeObjects.completeStatus(changed, clock.instant());
                NodeObjects.settleTaints(changed);
            });
        } catch (NotFoundException e) {
            // It is gone.
        }
    }
}
