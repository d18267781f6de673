package io.github.reconciler4j.client.internal.kubeconfig;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import org.jspecify.annotations.Nullable;

/**
 * Credentials that can change while the program runs. A configuration carries them as its token provider, so that fabric8's own
 * client sends the token too. Implementations are thread-safe.
 *
 * @since 0.1.0
 */
public interface RenewableCredentials extends OAuthTokenProvider {

    /**
     * Return the credential to send.
     *
     * @throws CredentialsException if there are no credentials
     * @throws InterruptedException if the thread is interrupted while it waits for a plug-in
     */
    Credential current() throws InterruptedException;

    /**
     * Obtain another credential after the server has rejected one.
     *
     * @return the new one, null if there is no other
     * @throws CredentialsException if it cannot be obtained
     * @throws InterruptedException if the thread is interrupted while it waits for a plug-in
     */
    @Nullable
    Credential renew(Credential rejected) throws InterruptedException;

    /** Take note that the server has accepted a credential. */
    default void accepted(Credential credential) {}

    /** Return whether the credentials can have a client certificate. */
    default boolean mayHaveCertificate() {
        return false;
    }

    @Override
    default String getToken() {
        try {
            String token = current().token();
            return token == null ? "" : token;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CredentialsException("Interrupted while waiting for credentials");
        }
    }
}
