package io.github.reconciler4j.installer;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.support.TimeSource;
import java.util.Map;
import java.util.Set;

/** The API server of a {@link MigrationHistory}, with something that refuses objects. */
interface MigrationWorld {

    /** A client that may do anything. */
    Client admin();

    /** The connection of the operator. */
    ApiConnection operator();

    CrdInstaller.Pace pace();

    /** The time that the operator waits in. */
    default TimeSource time() {
        return TimeSource.system();
    }

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

    /** The version that each object is stored in, by name. */
    Map<String, String> stored();

    /** What was wrong in between. */
    default String violation() {
        return "";
    }
}
