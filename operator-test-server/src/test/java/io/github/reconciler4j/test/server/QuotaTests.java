package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class QuotaTests {
    private static final int WRITERS = 8;
    private static final int ROUNDS = 10;

    /** Both quotas let each writer pass until another one has taken the last object from the second. */
    @Test
    void firstQuotaWhenTheSecondRefusesIsNotCharged() throws Exception {
        try (KubernetesServer server = KubernetesServer.builder().start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(server.clientConfig())
                        .build()) {
            for (int round = 0; round < ROUNDS; round++) {
                quota(client, "a" + round, "configmaps", 100);
                quota(client, "b" + round, "count/configmaps", 1);

                assertThat(createAtOnce(client)).isEqualTo(1);
                assertThat(used(client, "a" + round, "configmaps")).isEqualTo("1");
                assertThat(used(client, "b" + round, "count/configmaps")).isEqualTo("1");

                client.configMaps().inNamespace("default").delete();
                client.resourceQuotas().inNamespace("default").delete();
            }
        }
    }

    private static void quota(KubernetesClient client, String name, String resource, int limit) {
        client.resourceQuotas()
                .inNamespace("default")
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .addToHard(resource, new Quantity(Integer.toString(limit)))
                        .endSpec()
                        .build())
                .create();
    }

    private static String used(KubernetesClient client, String name, String resource) {
        return client.resourceQuotas()
                .inNamespace("default")
                .withName(name)
                .get()
                .getStatus()
                .getUsed()
                .get(resource)
                .toString();
    }

    /** Returns how many of the writers created an object. */
    private static int createAtOnce(KubernetesClient client) throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String name = "m" + i;
                running.add(writers.submit(() -> create(client, name)));
            }
            int created = 0;
            for (Future<Integer> one : running) {
                created += one.get();
            }
            return created;
        } finally {
            writers.shutdownNow();
        }
    }

    private static int create(KubernetesClient client, String name) {
        try {
            client.configMaps()
                    .inNamespace("default")
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .create();
            return 1;
        } catch (KubernetesClientException e) {
            assertThat(e.getCode()).isEqualTo(403);
            return 0;
        }
    }
}
