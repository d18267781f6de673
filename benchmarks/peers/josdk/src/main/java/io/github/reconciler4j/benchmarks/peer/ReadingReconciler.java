package io.github.reconciler4j.benchmarks.peer;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;

/** The reconciler of the works without writes. */
@ControllerConfiguration
public final class ReadingReconciler implements Reconciler<WebApp> {

    private final Work work;

    ReadingReconciler(Work work) {
        this.work = work;
    }

    @Override
    public UpdateControl<WebApp> reconcile(WebApp app, Context<WebApp> context) {
        boolean again = work.reconciled(
                app.getMetadata().getNamespace(), app.getMetadata().getName(), app.getSpec().host);
        UpdateControl<WebApp> result = UpdateControl.noUpdate();
        return again ? result.rescheduleAfter(Duration.ofMillis(1)) : result;
    }
}
