package io.github.reconciler4j.controllers.upstream;

<<<<<<< HEAD
import io.github.reconciler4j.controllers.internal.daemonset.DaemonSetReplays;
=======
import io.github.reconciler4j.controllers.internal.cronjob.CronJobReplays;
>>>>>>> ctl-job
import io.github.reconciler4j.controllers.internal.deployment.DeploymentReplays;
import io.github.reconciler4j.controllers.internal.disruption.DisruptionReplays;
import io.github.reconciler4j.controllers.internal.endpoints.EndpointsReplays;
import io.github.reconciler4j.controllers.internal.endpointslice.EndpointSliceReplays;
<<<<<<< HEAD
import io.github.reconciler4j.controllers.internal.garbagecollector.GarbageCollectorReplays;
import io.github.reconciler4j.controllers.internal.namespace.NamespaceReplays;
=======
import io.github.reconciler4j.controllers.internal.job.JobReplays;
>>>>>>> ctl-job
import io.github.reconciler4j.controllers.internal.replicaset.ReplicaSetReplays;
import io.github.reconciler4j.controllers.internal.revision.RevisionReplays;
import io.github.reconciler4j.controllers.internal.services.ServiceReplays;
<<<<<<< HEAD
import io.github.reconciler4j.controllers.internal.statefulset.StatefulSetReplays;
=======
import io.github.reconciler4j.controllers.internal.ttlafterfinished.TtlReplays;
>>>>>>> ctl-job
import java.util.List;
import java.util.function.Supplier;

/** The replays of all controllers. */
final class AllReplays {

    /** One line for each package, in the order of the names. */
    private static final List<Supplier<Replays>> ALL = List.of(
<<<<<<< HEAD
            DaemonSetReplays::all,
=======
            CronJobReplays::all,
>>>>>>> ctl-job
            DeploymentReplays::all,
            DisruptionReplays::all,
            EndpointsReplays::all,
            EndpointSliceReplays::all,
<<<<<<< HEAD
            GarbageCollectorReplays::all,
            NamespaceReplays::all,
            ReplicaSetReplays::all,
            RevisionReplays::all,
            ServiceReplays::all,
            StatefulSetReplays::all);
=======
            JobReplays::all,
            ReplicaSetReplays::all,
            ServiceReplays::all,
            TtlReplays::all);
>>>>>>> ctl-job

    private AllReplays() {}

    static Replays all() {
        Replays replays = new Replays();
        ALL.forEach(each -> replays.addAll(each.get()));
        return replays;
    }
}
