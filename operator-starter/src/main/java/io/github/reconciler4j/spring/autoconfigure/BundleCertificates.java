package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.webhook.CertificateSource;
import io.github.reconciler4j.webhook.ServerCertificate;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Takes the certificate from an SSL bundle, and follows its updates. */
final class BundleCertificates implements CertificateSource {

    private static final Logger LOG = LoggerFactory.getLogger(BundleCertificates.class);

    private final SslBundles bundles;
    private final String name;
    private volatile @Nullable Server server;
    private volatile String problem = "";

    BundleCertificates(SslBundles bundles, String name) {
        this.bundles = bundles;
        this.name = name;
        bundles.addBundleUpdateHandler(name, this::update);
    }

    @Override
    public void start(Server started) throws ComponentNotReadyException {
        try {
            started.use(certificate(bundles.getBundle(name)));
            server = started;
        } catch (GeneralSecurityException | NoSuchSslBundleException e) {
            throw new ComponentNotReadyException(
                    "The SSL bundle '" + name + "' cannot be used for webhooks: " + e.getMessage()
                            + "; correct 'spring.ssl.bundle' or 'reconciler4j.webhook.certificates.ssl-bundle' (R4J-406)",
                    e);
        }
    }

    private void update(SslBundle bundle) {
        Server running = server;
        if (running == null) {
            return;
        }
        try {
            running.use(certificate(bundle));
            problem = "";
        } catch (GeneralSecurityException | RuntimeException e) {
            problem = "The update of the SSL bundle '" + name + "' cannot be used: " + e.getMessage();
            LOG.warn(
                    "The update of the SSL bundle '{}' cannot be used, the previous certificate stays",
                    name,
                    Causes.loggable(e));
        }
    }

    private static ServerCertificate certificate(SslBundle bundle) throws GeneralSecurityException {
        KeyStore store = bundle.getStores().getKeyStore();
        if (store == null) {
            throw new GeneralSecurityException("it has no key store");
        }
        String preferred = bundle.getKey().getAlias();
        List<String> aliases = preferred == null ? Collections.list(store.aliases()) : List.of(preferred);
        for (String alias : aliases) {
            if (store.isKeyEntry(alias) && store.getCertificate(alias) instanceof X509Certificate certificate) {
                return ServerCertificate.of(bundle.createSslContext(), certificate);
            }
        }
        throw new GeneralSecurityException("its key store has no private key with a certificate");
    }

    @Override
    public void stop() {
        server = null;
    }

    @Override
    public Map<String, Object> details() {
        String current = problem;
        return current.isEmpty() ? Map.of() : Map.of("problems", List.of(current));
    }
}
