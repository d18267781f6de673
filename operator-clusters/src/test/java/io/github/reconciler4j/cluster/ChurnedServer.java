package io.github.reconciler4j.cluster;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.CutPoint;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;

/** The API server of a cluster that joins and leaves, with a client that does not belong to the manager. */
record ChurnedServer(String name, Behavior behavior, KubernetesServer server, ApiConnection connection, Client client)
        implements AutoCloseable {

    /** How an API server behaves while its cluster is there. */
    enum Behavior {
        GOOD,
        /** Refuses connections. */
        DEAD,
        /** Answers nothing. */
        SILENT,
        /** Answers no write. */
        STUCK,
        /** Answers late. */
        SLOW,
        /** Refuses connections in every other step of the test, and resets what was open. */
        FLAPPING,
        /** Ends half of its answers in the middle. */
        HALF
    }

    private static final long SEED = Long.getLong("clusters.seed", 18);
    private static final Duration SLOWLY = Duration.ofMillis(300);

    /** Starts a server with one object, before it misbehaves. */
    static ChurnedServer start(String name, Behavior behavior) {
        KubernetesServer server = KubernetesServer.start();
        ApiConnection connection = ApiConnection.open(server.clientConfig());
        Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        client.create(configMap("first"));
        switch (behavior) {
            case DEAD -> server.stop();
            case SILENT -> server.faults().add(FaultRule.of(RequestMatch.any(), new Fault.Stall()));
            case SLOW -> server.faults().add(FaultRule.of(RequestMatch.any(), new Fault.Delay(SLOWLY)));
            case STUCK -> server.faults().add(FaultRule.of(RequestMatch.writes(), new Fault.Stall()));
            case HALF ->
                server.faults()
                        .add(FaultRule.of(RequestMatch.any(), new Fault.Cut(CutPoint.INSIDE))
                                .withProbability(0.5, SEED));
            default -> {}
        }
        return new ChurnedServer(name, behavior, server, connection, client);
    }

    void flap(boolean down) {
        if (behavior == Behavior.FLAPPING && down) {
            server.stop();
        } else if (behavior == Behavior.FLAPPING) {
            server.resume();
        }
    }

    @Override
    public void close() {
        connection.close();
        server.close();
    }

    boolean isGood() {
        return behavior == Behavior.GOOD;
    }

    static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }
}
