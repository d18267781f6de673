package io.github.reconciler4j.test.server.internal;

import io.github.reconciler4j.test.KubernetesServerBuilder;
import io.github.reconciler4j.test.faults.Faults;
import io.github.reconciler4j.test.request.RequestLog;
import io.github.reconciler4j.test.server.internal.direct.DirectTransport;
import java.util.function.UnaryOperator;

/** The server in this JVM, reached without a socket. Safe for use by multiple threads. */
public final class DirectServer implements AutoCloseable {
    private final Cluster.Shared shared;
    private final Cluster cluster;
    private final DirectTransport transport;

    private DirectServer(InMemoryServerBuilder settings) {
        shared = Cluster.Shared.create(settings);
        cluster = new Cluster(settings, shared);
        transport = new DirectTransport(cluster.server, settings.maxBodyBytes);
    }

    /** Create a server. Settings about sockets have no effect. */
    public static DirectServer create(UnaryOperator<KubernetesServerBuilder> settings) {
        if (settings.apply(new InMemoryServerBuilder()) instanceof InMemoryServerBuilder changed) {
            return new DirectServer(changed);
        }
        throw new IllegalArgumentException("'settings' must return the builder that it is given");
    }

    /** Return what takes requests. */
    public DirectTransport transport() {
        return transport;
    }

    /** Return a token of the user {@code admin}, who may do everything. */
    public String adminToken() {
        return shared.adminToken();
    }

    public Faults faults() {
        return shared.faults();
    }

    public RequestLog requests() {
        return shared.log();
    }

    /** End what is under way, and delete all objects. */
    @Override
    public void close() {
        shared.faults().clear();
        transport.close();
        cluster.close();
    }
}
