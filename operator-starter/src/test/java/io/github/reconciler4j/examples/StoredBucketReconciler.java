package io.github.reconciler4j.examples;

import io.github.reconciler4j.examples.StoredBuckets.StoredBucket;
import io.github.reconciler4j.external.ExternalResources;
import io.github.reconciler4j.external.ExternalResult;
import io.github.reconciler4j.external.ExternalResult.State;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;

@Reconciler(
        permissions = {
            @Permission(
                    group = "examples.reconciler4j.io",
                    resources = "buckets",
                    verbs = {"get", "patch"}),
            @Permission(group = "examples.reconciler4j.io", resources = "buckets/status", verbs = "patch")
        })
class StoredBucketReconciler implements ObjectReconciler<Bucket> {

    private final ExternalResources<Bucket, StoredBucket> buckets;

    StoredBucketReconciler(StoredBuckets resource) {
        buckets = ExternalResources.create("bucket", resource);
    }

    @Override
    public Result reconcile(Bucket bucket, ReconcileContext context) throws Exception {
        ExternalResult<StoredBucket> result = buckets.reconcile(bucket, context);
        if (result.state() != State.RELEASED) {
            context.client()
                    .status()
                    .edit(
                            bucket,
                            changed -> result.report(
                                    Conditions.of(changed.getStatus().getConditions(), changed)));
        }
        return result.toResult();
    }
}
