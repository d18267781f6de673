package io.github.reconciler4j.controllers.upstream;

import io.github.reconciler4j.controllers.internal.cronjob.CronJobReplays;
import io.github.reconciler4j.controllers.internal.daemonset.DaemonSetReplays;
import io.github.reconciler4j.controllers.internal.deployment.DeploymentReplays;
import io.github.reconciler4j.controllers.internal.disruption.DisruptionReplays;
import io.github.reconciler4j.controllers.internal.endpoints.EndpointsReplays;
import io.github.reconciler4j.controllers.internal.endpointslice.EndpointSliceReplays;
import io.github.reconciler4j.controllers.internal.garbagecollector.GarbageCollectorReplays;
import io.github.reconciler4j.controllers.internal.job.JobReplays;
import io.github.reconciler4j.controllers.internal.namespace.NamespaceReplays;
import io.github.reconciler4j.controllers.internal.replicaset.ReplicaSetReplays;
import io.github.reconciler4j.controllers.internal.revision.RevisionReplays;
import io.github.reconciler4j.controllers.internal.services.ServiceReplays;
import io.github.reconciler4j.controllers.internal.statefulset.StatefulSetReplays;
import io.github.reconciler4j.controllers.internal.ttlafterfinished.TtlReplays;
import java.util.List;
import java.util.function.Supplier;

/** The replays of all controllers. */
final class AllReplays {

    /** One line for each package, in the order of the names. */
    private static final List<Supplier<Replays>> ALL = List.of(
            CronJobReplays::all,
            DaemonSetReplays::all,
            DeploymentReplays::all,
            DisruptionReplays::all,
            EndpointSliceReplays::all,
            EndpointsReplays::all,
            GarbageCollectorReplays::all,
            JobReplays::all,
            NamespaceReplays::all,
            ReplicaSetReplays::all,
            RevisionReplays::all,
            ServiceReplays::all,
            StatefulSetReplays::all,
            TtlReplays::all);

    private AllReplays() {}

    static Replays all() {
        Replays replays = new Replays();
        ALL.forEach(each -> replays.addAll(each.get()));
        return replays;
    }
}
