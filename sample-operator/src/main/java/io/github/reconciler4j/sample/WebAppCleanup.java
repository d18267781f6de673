package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/** Drains the pods of a {@link WebApp} before it goes: while its finalizer is there, the object stays. */
@Component
class WebAppCleanup {

    static final String FINALIZER = WebApp.GROUP + "/drain";

    private final Client client;
    private final EventRecorder events;

    WebAppCleanup(Client client, EventRecorder events) {
        this.client = client;
        this.events = events;
    }

    /** Puts the finalizer on, if it is not there. */
    void hold(WebApp app) {
        if (!app.getMetadata().getFinalizers().contains(FINALIZER)) {
            changeFinalizers(app, finalizers -> finalizers.add(FINALIZER));
        }
    }

    /** Scales the Deployment down, and takes the finalizer off once no pod is left. */
    Result release(WebApp app) {
        if (!app.getMetadata().getFinalizers().contains(FINALIZER)) {
            return Result.done();
        }
        Optional<Deployment> deployment = client.get(
                Deployment.class,
                ObjectKey.of(app.getMetadata().getNamespace(), app.getMetadata().getName()));
        if (deployment.isPresent() && !isDrained(deployment.get())) {
            if (deployment.get().getSpec().getReplicas() != 0) {
                client.patch(deployment.get(), Patch.merge(Map.of("spec", Map.of("replicas", 0))));
            }
            return Result.done(); // the Deployment's next change comes here again
        }
        events.normal(app, "Drained", "Delete", "No pod is left");
        changeFinalizers(app, finalizers -> finalizers.remove(FINALIZER));
        return Result.done();
    }

    private static boolean isDrained(Deployment deployment) {
        Integer replicas =
                deployment.getStatus() == null ? null : deployment.getStatus().getReplicas();
        return deployment.getSpec().getReplicas() == 0 && (replicas == null || replicas == 0);
    }

    /** Fails with a conflict, and so is tried again, if somebody else changed the object meanwhile. */
    private void changeFinalizers(WebApp app, Consumer<List<String>> change) {
        List<String> finalizers = new ArrayList<>(app.getMetadata().getFinalizers());
        change.accept(finalizers);
        WebApp after = new WebApp();
        after.setMetadata(new ObjectMetaBuilder(app.getMetadata())
                .withFinalizers(finalizers)
                .build());
        after.setSpec(app.getSpec());
        after.setStatus(app.getStatus());
        client.patch(app, Patch.lockedBetween(app, after));
    }
}
