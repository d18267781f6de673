package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.webhook.internal.CertificateCycle.Initial;
import io.github.reconciler4j.webhook.internal.CertificateCycle.StoredAuthority;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the state of the authority in a Secret.
 *
 * @param client the client
 * @param key the key of the Secret
 * @param owner the name of the configurations that the authority is for
 */
public record AuthoritySecret(Client client, ObjectKey key, String owner) implements CertificateCycle.Store {

    private static final String OWNER = "reconciler4j.io/webhooks-of";
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(4);
    private static final Logger LOG = LoggerFactory.getLogger(AuthoritySecret.class);

    /**
     * Read the Secret, or create it.
     *
     * @throws ComponentNotReadyException if the Secret is invalid or of another owner
     */
    @Override
    public StoredAuthority readOrCreate(Initial initial) throws ComponentNotReadyException, GeneralSecurityException {
        Optional<Secret> found = client.live().get(Secret.class, key);
        if (found.isPresent()) {
            return stored(found.get());
        }
        AuthorityState state = initial.create();
        try {
            Secret secret = client.create(object(state).build());
            LOG.info("Created the Secret {} with a certificate authority for webhooks", key);
            return new StoredAuthority(state, secret.getMetadata().getResourceVersion());
        } catch (AlreadyExistsException e) { // another replica was first
            return stored(client.live().get(Secret.class, key).orElseThrow(() -> e));
        }
    }

    @Override
    public Optional<StoredAuthority> replace(StoredAuthority stored, AuthorityState state)
            throws GeneralSecurityException {
        try {
            Secret updated = client.update(object(state)
                    .editMetadata()
                    .withResourceVersion(stored.version())
                    .endMetadata()
                    .build());
            LOG.info("Updated the certificate authority for webhooks in the Secret {}", key);
            return Optional.of(new StoredAuthority(state, updated.getMetadata().getResourceVersion()));
        } catch (ConflictException e) { // another replica was first
            return Optional.empty();
        }
    }

    private StoredAuthority stored(Secret secret) throws ComponentNotReadyException {
        Map<String, String> annotations =
                Objects.requireNonNullElse(secret.getMetadata().getAnnotations(), Map.of());
        if (!owner.equals(annotations.get(OWNER))) {
            throw new ComponentNotReadyException("The Secret " + key + " exists, but is not the one for webhooks of '"
                    + owner + "' (annotation " + OWNER
                    + "): delete it, or choose another name for the Secret of the operator (R4J-416)");
        }
        try {
            Map<String, String> data = Objects.requireNonNullElse(secret.getData(), Map.<String, String>of());
            AuthorityState state = AuthorityState.read(data.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey,
                            entry -> new String(Base64.getDecoder().decode(entry.getValue()), UTF_8))));
            return new StoredAuthority(state, secret.getMetadata().getResourceVersion());
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new ComponentNotReadyException(
                    "The certificate authority in the Secret " + key + " is damaged (" + e.getMessage()
                            + "): delete the Secret, and the operator creates a new authority (R4J-417)",
                    e);
        }
    }

    private SecretBuilder object(AuthorityState state) throws GeneralSecurityException {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.name())
                .addToAnnotations(OWNER, owner)
                .addToLabels("app.kubernetes.io/managed-by", "reconciler4j")
                .endMetadata()
                .withType("Opaque")
                .withData(state.data().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                entry -> Base64.getEncoder()
                                        .encodeToString(entry.getValue().getBytes(UTF_8)))));
    }

    /**
     * Compare the clock with that of the API server, by which certificates are verified. A dry run shows it.
     *
     * @throws ComponentNotReadyException if they differ too much for new certificates to be valid
     */
    @Override
    public void compareClocks(Instant now) throws ComponentNotReadyException {
        Secret probe = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withGenerateName(key.name() + "-")
                .endMetadata()
                .build();
        String created = client.create(probe, WriteOptions.defaults().asDryRun())
                .getMetadata()
                .getCreationTimestamp();
        if (created == null) {
            return;
        }
        Duration ahead = Duration.between(Instant.parse(created), now);
        if (ahead.abs().compareTo(CLOCK_TOLERANCE) > 0) {
            throw new ComponentNotReadyException("The clock of this machine is " + ahead.abs() + " "
                    + (ahead.isNegative() ? "behind" : "ahead of") + " the clock of the API server, which would refuse"
                    + " new certificates: correct the clock (R4J-418)");
        }
    }
}
