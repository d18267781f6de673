package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.OwnWrites;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.handler.OwnerMatch;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.Owns;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.Watches;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A reconciler that writes an owned and a watched object, and reacts to the updates of others only. */
@Timeout(120)
class OwnWritesAnnotationTests {

    private static final ObjectKey KEY = ObjectKey.of("default", "app");
    private static final int CHANGES = 10;

    @Reconciler(name = "own")
    @Owns(value = Secret.class, match = OwnerMatch.ANY, ownWrites = OwnWrites.IGNORE)
    static class Writing implements ObjectReconciler<ConfigMap> {

        private final AtomicInteger runs = new AtomicInteger();
        private final Set<String> seen = ConcurrentHashMap.newKeySet();

        @Override
        public Result reconcile(ConfigMap map, ReconcileContext context) {
            String run = String.valueOf(runs.incrementAndGet());
            Client client = context.client();
            client.get(Secret.class, KEY)
                    .ifPresent(secret -> client.update(secret.edit()
                            .editMetadata()
                            .addToAnnotations("example.com/run", run)
                            .endMetadata()
                            .build()));
            client.get(ServiceAccount.class, KEY).ifPresent(account -> {
                try {
                    client.update(account.edit()
                            .editMetadata()
                            .addToAnnotations("example.com/run", run)
                            .endMetadata()
                            .build());
                } catch (ConflictException e) {
                    return; // the other change leads to the next run
                }
                if (account.getMetadata().getLabels() != null) {
                    seen.addAll(account.getMetadata().getLabels().values());
                }
            });
            return Result.done();
        }

        @Watches(value = ServiceAccount.class, ownWrites = OwnWrites.IGNORE)
        List<Request> accounts(ObjectHeader account) {
            return account.key().equals(KEY) ? List.of(Request.of(KEY)) : List.of();
        }
    }

    @Test
    void updatesOfOwnedAndWatchedObjectsAreDroppedIfTheReconcilerWroteThem() {
        try (KubernetesServer server = KubernetesServer.start()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                    .withBean(Config.class, server::clientConfig)
                    .withPropertyValues("spring.application.name=own")
                    .withBean(Writing.class)
                    .run(context -> {
                        Client client = context.getBean(Client.class);
                        Writing reconciler = context.getBean(Writing.class);
                        ConfigMap map = client.create(map());
                        client.create(owned(map));
                        client.create(account());
                        for (int change = 0; change < CHANGES; change++) {
                            String label = String.valueOf(change);
                            client.patch(
                                    account(),
                                    ObjectPatch.merge(
                                            Map.of("metadata", Map.of("labels", Map.of("example.com/change", label)))));
                            await().atMost(Duration.ofSeconds(60)).until(() -> reconciler.seen.contains(label));
                        }
                        assertThat(reconciler.runs)
                                .as("three creations and the changes, but not the two updates of each run")
                                .hasValueLessThanOrEqualTo(3 + CHANGES);
                    });
        }
    }

    private static ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .endMetadata()
                .build();
    }

    private static Secret owned(ConfigMap map) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName(map.getMetadata().getName())
                .withUid(map.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    private static ServiceAccount account() {
        return new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .endMetadata()
                .build();
    }
}
