package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The change of one object by a test, repeated after conflicts. Immutable.
 *
 * @param namespace null for a cluster-scoped object
 */
record ObjectEdit<T extends HasMetadata>(
        KubernetesClient client, Class<T> type, @Nullable String namespace, String name) {

    private static final int ATTEMPTS = 50;

    T edit(Consumer<T> change) {
        for (int attempt = 1; ; attempt++) {
            T object = read();
            change.accept(object);
            try {
                return client.resource(object).update();
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
                if (attempt == ATTEMPTS) {
                    throw new AssertionError(
                            "Could not edit " + subject() + ", because it has changed between read and write "
                                    + ATTEMPTS + " times in a row",
                            e);
                }
            }
        }
    }

    private T read() {
        MixedOperation<T, ?, Resource<T>> objects = client.resources(type);
        T object = namespace == null
                ? objects.withName(name).get()
                : objects.inNamespace(namespace).withName(name).get();
        if (object == null) {
            throw new AssertionError("Could not edit " + subject() + ", because it does not exist");
        }
        return object;
    }

    private String subject() {
        return HasMetadata.getKind(type) + " " + (namespace == null ? "" : namespace + "/") + name;
    }
}
