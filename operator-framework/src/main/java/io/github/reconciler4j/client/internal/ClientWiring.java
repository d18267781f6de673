package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.internal.RetryPace;
import org.jspecify.annotations.Nullable;

/**
 * What a client is connected to besides its options. Immutable.
 *
 * @since 0.1.0
 */
public final class ClientWiring {

    private static final int MAX_FIELD_MANAGER_LENGTH = 128;

    final ApiConnection connection;
    final Scheme scheme;
    final @Nullable Reader cache;
    final WriteListener listener;
    final WriteGate gate;
    final String defaultFieldManager;

    private ClientWiring(
            ApiConnection connection,
            Scheme scheme,
            @Nullable Reader cache,
            WriteListener listener,
            WriteGate gate,
            String defaultFieldManager) {
        this.connection = connection;
        this.scheme = scheme;
        this.cache = cache;
        this.listener = listener;
        this.gate = gate;
        this.defaultFieldManager = defaultFieldManager;
    }

    /** Create the wiring of a client that reads from the server. */
    public static ClientWiring of(ApiConnection connection, Scheme scheme) {
        return new ClientWiring(connection, scheme, null, WriteListener.NONE, WriteGate.OPEN, "operator");
    }

    /** Return a client whose requests wait for a pace and are not repeated; one of another origin as it is. */
    public static Client paced(Client client, RetryPace pace) {
        return client instanceof DefaultClient own ? own.paced(pace) : client;
    }

    /** Return a copy that reads from the given cache and notifies it of writes if it shows own writes. */
    public ClientWiring withCache(Reader cache) {
        WriteListener notified =
                cache instanceof ReadYourWritesReader readYourWrites ? readYourWrites.writeListener() : listener;
        return new ClientWiring(connection, scheme, cache, notified, gate, defaultFieldManager);
    }

    /** Return a copy that notifies the given listener of writes. */
    public ClientWiring withWriteListener(WriteListener listener) {
        return new ClientWiring(connection, scheme, cache, listener, gate, defaultFieldManager);
    }

    /** Return a copy with the given gate of writes. */
    public ClientWiring withWriteGate(WriteGate gate) {
        return new ClientWiring(connection, scheme, cache, listener, gate, defaultFieldManager);
    }

    /** Return a copy with the given field manager of threads that belong to no controller; long names are truncated. */
    public ClientWiring withDefaultFieldManager(String name) {
        String truncated = name.substring(0, Math.min(name.length(), MAX_FIELD_MANAGER_LENGTH));
        return new ClientWiring(connection, scheme, cache, listener, gate, truncated);
    }

    /** Create the client. */
    public Client create(ClientOptions options) {
        return DefaultClient.create(this, options);
    }
}
