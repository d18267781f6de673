package io.github.reconciler4j.controllers.upstream;

import io.github.reconciler4j.controllers.internal.daemonset.DaemonSetReplays;
import io.github.reconciler4j.controllers.internal.deployment.DeploymentReplays;
import io.github.reconciler4j.controllers.internal.endpoints.EndpointsReplays;
import io.github.reconciler4j.controllers.internal.endpointslice.EndpointSliceReplays;
import io.github.reconciler4j.controllers.internal.garbagecollector.GarbageCollectorReplays;
import io.github.reconciler4j.controllers.internal.namespace.NamespaceReplays;
import io.github.reconciler4j.controllers.internal.replicaset.ReplicaSetReplays;
import io.github.reconciler4j.controllers.internal.revision.RevisionReplays;
import io.github.reconciler4j.controllers.internal.services.ServiceReplays;
import io.github.reconciler4j.controllers.internal.statefulset.StatefulSetReplays;
import java.util.List;
import java.util.function.Supplier;

/** The replays of all controllers. */
final class AllReplays {

    /** One line for each package, in the order of the names. */
    private static final List<Supplier<Replays>> ALL = List.of(
            DaemonSetReplays::all,
            DeploymentReplays::all,
            EndpointsReplays::all,
            EndpointSliceReplays::all,
            GarbageCollectorReplays::all,
            NamespaceReplays::all,
            ReplicaSetReplays::all,
            RevisionReplays::all,
            ServiceReplays::all,
            StatefulSetReplays::all);

    private AllReplays() {}

    static Replays all() {
        Replays replays = new Replays();
        ALL.forEach(each -> replays.addAll(each.get()));
        return replays;
    }
}
