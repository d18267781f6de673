package io.github.reconciler4j.examples;

import io.github.reconciler4j.policy.MutationPolicy;
import io.github.reconciler4j.policy.ValidationPolicy;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;

/** Policies that the API server evaluates itself. */
class BucketPolicies {

    @ValidationPolicy(
            matchConditions = "people = !request.userInfo.username.startsWith('system:')",
            rules =
                    @ValidationPolicy.Rule(
                            value = "!object.metadata.name.startsWith('system-')",
                            message = "names that start with 'system-' are reserved",
                            reason = "Forbidden"))
    @MutationPolicy(
            matchConditions = "no-team = !has(object.metadata.labels) || !('team' in object.metadata.labels)",
            applyConfigurations = "Object{metadata: Object.metadata{labels: {'team': 'unknown'}}}")
    class BucketReconciler implements ObjectReconciler<Bucket> {

        @Override
        public Result reconcile(Bucket bucket, ReconcileContext context) {
            return Result.done();
        }
    }
}
