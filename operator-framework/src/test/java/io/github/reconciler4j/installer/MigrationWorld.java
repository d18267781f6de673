package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.client.ClientCall;
import java.util.Map;
import java.util.Set;

/** The API server of a {@link MigrationHistory}, with something that refuses objects. */
interface MigrationWorld {

    /** A client that may do anything. */
    KubernetesClient admin();

    /** Who the operator is. */
    Config operator();

    CrdInstaller.Pace pace();

    /** The part {@code spec.conversion} of each definition, as YAML on one line, empty for none. */
    default String conversion() {
        return "";
    }

    /** Whether the schema of the newest version refuses updates of objects with {@code spec.bad}. */
    default boolean refusesBySchema() {
        return false;
    }

    /** Let the API server refuse updates of objects, as soon as this method has returned. */
    void refuse(Set<String> names);

    /** Let the API server refuse nothing. */
    void allow();

    /** Someone has written an object, which the API server has accepted. */
    default void written(String name) {}

    /** The operator has sent a request, which the API server has accepted. */
    default void accepted(ClientCall call) {}

    /** The version that each object is stored in, by name. */
    Map<String, String> stored();

    /** What was wrong in between. */
    default String violation() {
        return "";
    }
}
