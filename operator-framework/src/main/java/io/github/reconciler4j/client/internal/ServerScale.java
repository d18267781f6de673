package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.client.ScaleClient;
import io.github.reconciler4j.client.WriteOptions;
import java.util.Map;

/** Reads and sets replicas on the API server. */
final class ServerScale implements ScaleClient {

    private final ServerSubresource subresource;

    ServerScale(ClientCore core) {
        this.subresource = new ServerSubresource(core, "scale");
    }

    @Override
    public Scale get(HasMetadata object) {
        return subresource.read(object, Scale.class);
    }

    @Override
    public Scale set(HasMetadata object, int replicas, WriteOptions options) {
        if (replicas < 0) {
            throw new IllegalArgumentException("'replicas' must not be negative, was " + replicas);
        }
        Patch patch = Patch.merge(Map.of("spec", Map.of("replicas", replicas)));
        return subresource.patch(object, patch, Scale.class, options);
    }
}
