package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.client.Client;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Computes checksums of Secrets. */
@Component
class SecretChecksums {

    private final Client client;
    private final boolean enabled;

    /**
     * Create it.
     *
     * @param enabled whether the operator has the permission to read Secrets
     */
    SecretChecksums(Client client, @Value("${sample.secrets.enabled:true}") boolean enabled) {
        this.client = client;
        this.enabled = enabled;
    }

    /** Read the Secret from the API server, because the cache contains only the metadata of Secrets. */
    Result of(WebApp app) {
        String name = app.getSpec().getSecretName();
        if (name == null) {
            return new Result("", "");
        }
        if (!enabled) {
            return new Result("", "Secret " + name + " is not read: sample.secrets.enabled is false");
        }
        return client.live()
                .get(Secret.class, app.getMetadata().getNamespace(), name)
                .map(secret -> new Result(Checksum.of(secret.getData()), ""))
                .orElseGet(() -> new Result("", "Secret " + name + " does not exist"));
    }

    /**
     * A checksum, or the reason why it is unknown.
     *
     * @param value the checksum, {@code ""} if the application refers to no Secret
     * @param problem why the content of the Secret is unknown, {@code ""} if it is known
     */
    record Result(String value, String problem) {}
}
