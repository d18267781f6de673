package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import java.time.Duration;

/** Waits at start until the API server is ready to answer. */
final class ApiServerWait implements ManagedComponent {

    static final String NAME = "api-server";

    private final ApiConnection connection;
    private final LifecycleOptions options;

    ApiServerWait(ApiConnection connection, LifecycleOptions options) {
        this.connection = connection;
        this.options = options;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StartGroup group() {
        return StartGroup.SERVERS;
    }

    @Override
    public void start() throws InterruptedException {
        connection.awaitServer(options.apiServerTimeout(), options.progressInterval());
    }

    @Override
    public void stop(Duration grace) {
        // Nothing is running; a start under way is interrupted by the lifecycle.
    }
}
