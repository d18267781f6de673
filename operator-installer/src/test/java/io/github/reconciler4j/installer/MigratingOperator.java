package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.fixtures.ReplicaProcess;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.support.Backoff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An operator that installs a definition and migrates its objects, as a process of its own, for tests that kill it. */
final class MigratingOperator {

    /** What it prints before each request. */
    static final String REQUEST = "request of the operator";

    private static final CrdInstaller.Pace PACE = new CrdInstaller.Pace(
            Duration.ofMillis(20), Duration.ofMillis(700), Backoff.of(Duration.ofMillis(20), Duration.ofMillis(200)));

    private MigratingOperator() {}

    /** Prints requests, so that a test can choose one. */
    private static final class Printed implements ClientInterceptor {

        @Override
        public ApiResponse intercept(ClientCall call, Next next) {
            System.out.println(REQUEST + ": " + call.verb());
            return next.proceed(call);
        }
    }

    /** Arguments: address of the API server, kubeconfig, file with the definition, version of the operator. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Config config = Config.fromKubeconfig(Path.of(args[1]).toFile());
        config.setMasterUrl(args[0]);
        CustomResourceDefinition definition = new KubernetesSerialization()
                .unmarshal(Files.readString(Path.of(args[2])), CustomResourceDefinition.class);
        Thread parent = new Thread(
                () -> {
                    ReplicaProcess.awaitEndOfInput();
                    Runtime.getRuntime().halt(0);
                },
                "parent");
        parent.setDaemon(true);
        parent.start();
        Manager manager = Manager.create(
                config,
                ManagerOptions.defaults()
                        .withName("widgets")
                        .withVersion(args[3])
                        .withClient(ClientOptions.defaults().withInterceptors(List.of(new Printed()))));
        CrdInstaller.addTo(manager, List.of(definition), CrdInstallerOptions.defaults(), PACE);
        manager.start();
        manager.await();
    }
}
