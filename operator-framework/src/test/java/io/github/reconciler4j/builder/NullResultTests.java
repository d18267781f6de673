package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

class NullResultTests {

    @Test
    void reconcilerWhenItReturnsNullIsNamedToTheErrorStatusHandler() throws Exception {
        CompletableFuture<Exception> reported = new CompletableFuture<>();
        try (KubernetesServer server = KubernetesServer.start();
                Manager manager = Manager.create(server.clientConfig())) {
            ControllerBuilder.of(Deployment.class)
                    .reconciler(new Forgetful())
                    .errorStatusHandler((deployment, error, context) -> reported.complete(error))
                    .addTo(manager);
            manager.start();
            manager.client().create(deployment());

            assertThat(reported.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("The reconciler " + Forgetful.class.getName() + " returned null; return Result.done()");
        }
    }

    private static Deployment deployment() {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", "web")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "web")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static final class Forgetful implements ObjectReconciler<Deployment> {

        @Override
        @NullUnmarked
        public Result reconcile(Deployment deployment, ReconcileContext context) {
            return null;
        }
    }
}
