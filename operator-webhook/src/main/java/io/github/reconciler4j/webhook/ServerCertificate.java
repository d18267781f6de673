package io.github.reconciler4j.webhook;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The certificate of a server with its private key. Immutable.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * server.use(ServerCertificate.of(key, chain));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ServerCertificate {

    private final SSLContext context;
    private final X509Certificate certificate;

    private ServerCertificate(SSLContext context, X509Certificate certificate) {
        this.context = context;
        this.certificate = certificate;
    }

    /**
     * Create a certificate from a context that has one.
     *
     * @param context the context to use for connections
     * @param certificate the certificate of the server in it
     */
    public static ServerCertificate of(SSLContext context, X509Certificate certificate) {
        return new ServerCertificate(context, certificate);
    }

    /**
     * Create a certificate.
     *
     * @param key the private key of the first certificate
     * @param chain the certificate of the server and those of its issuers
     * @throws GeneralSecurityException if the JVM cannot use them
     */
    public static ServerCertificate of(PrivateKey key, List<X509Certificate> chain) throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("server", key, new char[0], chain.toArray(Certificate[]::new));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return new ServerCertificate(context, chain.get(0));
        } catch (IOException e) {
            throw new GeneralSecurityException("Could not create a key store in memory", e);
        }
    }

    /** Return the context to use for connections. */
    public SSLContext context() {
        return context;
    }

    /** Return the certificate. */
    public X509Certificate certificate() {
        return certificate;
    }
}
