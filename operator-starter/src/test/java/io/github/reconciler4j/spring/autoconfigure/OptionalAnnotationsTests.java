package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerState;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.spring.Owns;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.References;
import io.github.reconciler4j.spring.Watches;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Kinds of annotations that the API server does not serve. */
@Timeout(120)
class OptionalAnnotationsTests {

    private static final List<String> KINDS = List.of("Route", "Issuer", "Theme");

    @Reconciler(name = "optional")
    @Owns(kind = "absent.example.com/v1/Route", optional = true)
    static class Absent implements ObjectReconciler<ConfigMap> {

        @Override
        public Result reconcile(ConfigMap map, ReconcileContext context) {
            return Result.done();
        }

        @Watches(kind = "absent.example.com/v1/Issuer", optional = true)
        List<Request> issuers(ObjectHeader issuer) {
            return List.of();
        }

        @References(kind = "absent.example.com/v1/Theme", optional = true)
        String theme(ConfigMap map) {
            return map.getData().get("theme");
        }
    }

    private static KindName kind(String name) {
        return KindName.of("absent.example.com/v1", name);
    }

    @Test
    void controllerWhenItsOptionalKindsAreNotServedRunsAndDeclaresThem() {
        try (KubernetesServer server = KubernetesServer.start()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                    .withBean(Config.class, server::clientConfig)
                    .withPropertyValues("spring.application.name=optional")
                    .withBean(Absent.class)
                    .run(context -> {
                        Controller<?> controller =
                                OperatorContextFixture.controller(context.getBean(Manager.class), "optional");
                        await("it runs")
                                .atMost(Duration.ofSeconds(60))
                                .until(() -> controller.state() == ControllerState.RUNNING);
                        Client client = context.getBean(Client.class);
                        for (String name : KINDS) {
                            assertThat(client.serves(Kind.of(kind(name)))).isFalse();
                            assertThat(client.list(Kind.of(kind(name)), "default"))
                                    .isEmpty();
                            assertThat(controller.requiredPermissions())
                                    .contains(RequiredPermission.watching(
                                            new KindInfo(kind(name), name.toLowerCase() + "s", true)));
                        }
                    });
        }
    }
}
