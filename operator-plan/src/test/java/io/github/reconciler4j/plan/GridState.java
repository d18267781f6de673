package io.github.reconciler4j.plan;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import java.util.List;

/** What there is of an object before a controller writes it. */
enum GridState {
    ABSENT,
    EQUAL,
    DIFFERS,
    FOREIGN,
    TERMINATING,
    ONE_FINALIZER,
    IMMUTABLE_DIFFERS,
    ABSENT_SECRET,
    EQUAL_SECRET,
    SECRET,
    TERMINATING_SECRET;

    static final String FINALIZER = "example.com/hold";

    boolean isSecret() {
        return name().endsWith("SECRET");
    }

    private boolean isTerminating() {
        return name().startsWith("TERMINATING");
    }

    /** Create what there is, with a client whose field manager is that of the controller. */
    void prepare(GridTarget target, Client client) {
        if (name().startsWith("ABSENT")) {
            return;
        }
        GenericKubernetesResource object = target.desired();
        if (!name().startsWith("EQUAL")) {
            target.set(object, "1");
        }
        if (isTerminating() || this == ONE_FINALIZER) {
            object.getMetadata().setFinalizers(List.of(FINALIZER));
        }
        if (this == FOREIGN) {
            object.getMetadata().getLabels().put("foreign", "yes");
        }
        if (this == IMMUTABLE_DIFFERS) {
            target.select(object, "former");
        }
        client.apply(object, ApplyOptions.defaults().withFieldManager(this == FOREIGN ? "foreign" : "owners"));
        if (isTerminating()) {
            client.delete(object);
        }
    }
}
