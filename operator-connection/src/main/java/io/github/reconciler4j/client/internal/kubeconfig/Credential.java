package io.github.reconciler4j.client.internal.kubeconfig;

import org.jspecify.annotations.Nullable;

/**
 * What authenticates a request, at one time. Immutable; compared by identity.
 *
 * @since 0.1.0
 */
public final class Credential {

    private final @Nullable String token;
    private final @Nullable String certificate;
    private final @Nullable String key;

    Credential(@Nullable String token, @Nullable String certificate, @Nullable String key) {
        this.token = token;
        this.certificate = certificate;
        this.key = key;
    }

    /** Return the bearer token, null for none. */
    public @Nullable String token() {
        return token;
    }

    /** Return the client certificate in PEM, null for none. */
    public @Nullable String certificate() {
        return certificate;
    }

    /** Return the key of the client certificate in PEM, null for none. */
    public @Nullable String key() {
        return key;
    }

    /** Nothing of it, because all of it is secret. */
    @Override
    public String toString() {
        return "Credential";
    }
}
