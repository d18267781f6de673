package io.github.reconciler4j.test.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * What a real control plane and the API server inside the JVM have in common. Tests that need nothing else get one by
 * {@link AnyKubernetesTest}, and run in both proofs. Safe for use by multiple threads.
 */
public interface AnyKubernetes extends AutoCloseable {

    /** Return the configuration of the administrator. */
    Config config();

    /** Return the configuration of {@code admin}, or of {@code alice} or {@code bob}, who may do what role bindings allow. */
    Config config(String user);

    /** Return the configuration of a service account, which may do what role bindings allow. */
    Config serviceAccountConfig(String namespace, String account);

    /** Return the kubeconfig of the administrator. */
    Path kubeconfig();

    /** Create a namespace that no other test has, and return its name. */
    String createNamespace(String prefix);

    /** Apply definitions of custom resources, and wait until their resources are served. */
    void applyDefinitions(String definitions);

    /** Apply objects on the server, as the administrator and field manager {@code kubectl}. */
    default void apply(String yaml) {
        with(client -> {
            for (HasMetadata object : read(client, yaml)) {
                client.resource(object).fieldManager("kubectl").forceConflicts().serverSideApply();
            }
            return null;
        });
    }

    /** Do something with a client of the administrator, and return what it returns. */
    default <T> T with(Function<KubernetesClient, T> action) {
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config()).build()) {
            return action.apply(client);
        }
    }

    @Override
    void close();

    private static List<HasMetadata> read(KubernetesClient client, String yaml) {
        // Without the first line, a text that starts with a brace is taken for JSON.
        return client.load(new ByteArrayInputStream(("---\n" + yaml).getBytes(StandardCharsets.UTF_8)))
                .items();
    }
}
