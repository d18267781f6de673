package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.scheme.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Stands for the content of the Secret that a {@link WebApp} refers to, or says why there is none.
 *
 * @param value the checksum, {@code ""} without a Secret
 * @param problem what is wrong, null if nothing
 */
record SecretChecksum(String value, @Nullable String problem) {

    private static final SecretChecksum NONE = new SecretChecksum("", null);

    /** Reads the Secret from the server: what is watched of Secrets is their metadata only. */
    static SecretChecksum read(WebApp app, Client client) {
        String name = app.getSpec().getSecretName();
        if (name == null) {
            return NONE;
        }
        return client.live()
                .get(Secret.class, ObjectKey.of(app.getMetadata().getNamespace(), name))
                .map(secret -> new SecretChecksum(Checksum.of(secret.getData()), null))
                .orElseGet(() -> new SecretChecksum("", "Secret " + name + " does not exist"));
    }

    /** Without the right to read Secrets a WebApp may not refer to one. */
    static SecretChecksum withoutRights(WebApp app) {
        String name = app.getSpec().getSecretName();
        return name == null
                ? NONE
                : new SecretChecksum("", "Secret " + name + " is not read: sample.secrets.enabled is false");
    }
}
