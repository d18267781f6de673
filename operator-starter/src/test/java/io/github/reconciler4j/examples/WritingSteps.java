package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.Client;

/** A reconciler that is no part of the framework, so that its methods are steps. */
public final class WritingSteps {

    private WritingSteps() {}

    /** Returns what writes in a method of its own. */
    public static Runnable writing(Client client, ConfigMap map) {
        return () -> apply(client, map);
    }

    private static void apply(Client client, ConfigMap map) {
        client.apply(map);
    }
}
