package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a step of a StatefulSet does to its pods and their claims, one request or a few each. */
interface PodActions {

    /** Create the claims of a pod, and then the pod. */
    void create(Pod pod);

    /** Give a pod the identity and the storage that it should have, and its claims the owners. */
    void update(Pod pod);

    void delete(Pod pod);

    /** Create the claims of a pod that are missing. */
    void createMissingClaims(Pod pod);

    /** Return whether a claim still goes with an earlier pod of this name, so that the pod has to wait. */
    boolean hasStaleClaim(Pod pod);

    /** Return whether the claims of a pod have the owners that the policy of the StatefulSet says. */
    boolean haveClaimsRightOwners(Pod pod);

    /** Give the claims of a pod the owners that the policy of the StatefulSet says. */
    void setClaimOwners(Pod pod);

    /** Run all of these, in any order, and return the first failure. */
    @Nullable
    RuntimeException runAll(List<Runnable> actions);
}
