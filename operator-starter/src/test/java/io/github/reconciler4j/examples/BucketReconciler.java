package io.github.reconciler4j.examples;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.ErrorStatusHandler;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.spring.Reconciler;
import java.io.IOException;
import java.time.Duration;

@Reconciler(maxBackoff = "5m")
class BucketReconciler implements ObjectReconciler<Bucket>, Cleaner<Bucket>, ErrorStatusHandler<Bucket> {

    private final Client client;
    private final EventRecorder events;
    private final ObjectStorage storage;

    BucketReconciler(Client client, EventRecorder events, ObjectStorage storage) {
        this.client = client;
        this.events = events;
        this.storage = storage;
    }

    @Override
    public Result reconcile(Bucket bucket, ReconcileContext context) throws IOException {
        if (storage.create(bucket.getMetadata().getUid())) {
            events.normal(bucket, "Created", "Create", "The bucket was created");
        }
        client.status()
                .edit(
                        bucket,
                        changed -> Conditions.of(changed.getStatus().getConditions(), changed)
                                .setTrue("Ready", "Created", "The bucket exists"));
        return Result.done();
    }

    /** Called instead of reconcile once the object is marked for deletion. */
    @Override
    public CleanupResult cleanup(Bucket bucket, ReconcileContext context) throws IOException {
        boolean deleted = storage.delete(bucket.getMetadata().getUid());
        return deleted ? CleanupResult.done() : CleanupResult.notYet(Duration.ofSeconds(10));
    }

    /** Called after reconcile or cleanup has failed; the exception is retried with a growing delay. */
    @Override
    public void updateErrorStatus(Bucket bucket, Exception error, ReconcileContext context) {
        Conditions.of(bucket.getStatus().getConditions(), bucket)
                .setFalse("Ready", "StorageFailed", "The storage does not respond");
    }
}
