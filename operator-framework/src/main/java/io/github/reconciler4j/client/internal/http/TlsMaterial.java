package io.github.reconciler4j.client.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trusted certificates and the client certificate of a connection. Files are read again every 10 seconds while the
 * connection is in use, and after a failed handshake, so that replaced files take effect without a restart; that includes
 * files behind symbolic links, which the kubelet swaps. A client certificate is used only together with its own key: while one
 * of the two files is newer than the other, or a file cannot be read, the previous material stays in use.
 *
 * <p>If the configuration names a certificate authority, only that authority is trusted, as by kubectl. Thread-safe.
 */
final class TlsMaterial {

    private static final Logger logger = LoggerFactory.getLogger(TlsMaterial.class);
    private static final long CHECK_INTERVAL = TimeUnit.SECONDS.toNanos(10);

    private final Config config;
    private final TimeSource time;
    private final LogLimiter warnings;
    private final boolean hasFiles;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile SSLContext context;
    private volatile int generation;
    private volatile long nextCheck;

    @GuardedBy("lock")
    private Snapshot loaded;

    @GuardedBy("lock")
    private @Nullable Snapshot rejected;

    /**
     * Load the material.
     *
     * @throws GeneralSecurityException if it cannot be used
     * @throws IOException if a file cannot be read
     */
    TlsMaterial(Config config, TimeSource time) throws GeneralSecurityException, IOException {
        this.config = config;
        this.time = time;
        this.warnings = new LogLimiter(Duration.ofMinutes(1), time);
        this.hasFiles = isFile(config.getCaCertData(), config.getCaCertFile())
                || isFile(config.getClientCertData(), config.getClientCertFile())
                || isFile(config.getClientKeyData(), config.getClientKeyFile());
        Snapshot first = read();
        this.context = load(first);
        this.loaded = first;
        this.nextCheck = time.nanoTime() + CHECK_INTERVAL;
    }

    /** Return the context for new connections. */
    SSLContext context() {
        return context;
    }

    /** Return the number of changes so far. Connections of an earlier generation must not be used again. */
    int generation() {
        return generation;
    }

    /** Read the files at the next opportunity, whenever they were last read. */
    void recheck() {
        nextCheck = time.nanoTime();
    }

    /**
     * Read the files if that is due.
     *
     * @return whether the certificates have changed
     */
    boolean refresh() {
        if (!hasFiles || time.nanoTime() - nextCheck < 0 || !lock.tryLock()) {
            return false; // another thread that reads them has the lock
        }
        try {
            nextCheck = time.nanoTime() + CHECK_INTERVAL;
            int before = generation;
            readAgain();
            return generation != before;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void readAgain() {
        Snapshot found;
        try {
            found = read();
        } catch (IOException e) {
            warnings.log(
                    LogLimiter.cause(e),
                    occurrence -> logger.warn(
                            "Could not read the certificates again, so the previous ones stay in use: {}{}",
                            e.toString(),
                            occurrence.suffix()));
            return;
        }
        if (found.isSameAs(loaded) || rejected != null && found.isSameAs(rejected)) {
            return;
        }
        try {
            context = load(found);
            loaded = found;
            rejected = null;
            generation++;
            logger.info("The certificates have been replaced; new connections use them");
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            rejected = found;
            logger.warn("The replaced certificates cannot be used, so the previous ones stay in use: {}", e.toString());
        }
    }

    private Snapshot read() throws IOException {
        return new Snapshot(
                content(config.getCaCertData(), config.getCaCertFile()),
                content(config.getClientCertData(), config.getClientCertFile()),
                content(config.getClientKeyData(), config.getClientKeyFile()));
    }

    private static boolean isFile(@Nullable String data, @Nullable String file) {
        return isEmpty(data) && !isEmpty(file);
    }

    private static boolean isEmpty(@Nullable String text) {
        return text == null || text.isEmpty();
    }

    /** A kubeconfig should contain PEM encoded as base64, and sometimes contains plain PEM. */
    private static byte @Nullable [] content(@Nullable String data, @Nullable String file) throws IOException {
        if (data != null && !data.isEmpty()) {
            try {
                return Base64.getMimeDecoder().decode(data);
            } catch (IllegalArgumentException e) {
                return data.getBytes(StandardCharsets.UTF_8);
            }
        }
        return file == null || file.isEmpty() ? null : Files.readAllBytes(Path.of(file));
    }

    private SSLContext load(Snapshot from) throws GeneralSecurityException, IOException {
        SSLContext created = SSLContext.getInstance("TLS");
        created.init(keyManagers(from), trustManagers(from.authority), null);
        return created;
    }

    private TrustManager[] trustManagers(byte @Nullable [] authority) throws GeneralSecurityException, IOException {
        if (authority == null || config.isTrustCerts() || !isEmpty(config.getTrustStoreFile())) {
            return SSLUtils.trustManagers(config);
        }
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        Collection<? extends Certificate> certificates = certificates(authority);
        for (Certificate certificate : certificates) {
            trusted.setCertificateEntry("authority-" + trusted.size(), certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    private static Collection<? extends Certificate> certificates(byte[] pem) throws CertificateException {
        Collection<? extends Certificate> found =
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
        if (found.isEmpty()) {
            throw new CertificateException("The file of the certificate authority contains no certificate");
        }
        return found;
    }

    private KeyManager @Nullable [] keyManagers(Snapshot from) throws GeneralSecurityException {
        if (from.certificate == null || from.key == null) {
            return null;
        }
        KeyManager[] managers = null;
        Exception failure = null;
        for (String algorithm : algorithms(from.key)) {
            try {
                managers = SSLUtils.keyManagers(
                        new ByteArrayInputStream(from.certificate),
                        new ByteArrayInputStream(from.key),
                        algorithm,
                        config.getClientKeyPassphrase(),
                        config.getKeyStoreFile(),
                        config.getKeyStorePassphrase() == null ? "" : config.getKeyStorePassphrase());
                break;
            } catch (GeneralSecurityException | IOException e) { // a key of the other algorithm is one of both
                failure = e;
            }
        }
        if (managers == null) {
            throw new InvalidKeyException("The client certificate and key cannot be read", failure);
        }
        checkPair(managers);
        return managers;
    }

    /** PKCS #8 does not name its algorithm in the first line. */
    private String[] algorithms(byte[] key) {
        boolean elliptic = new String(key, StandardCharsets.ISO_8859_1).contains("-----BEGIN EC ")
                || "EC".equals(String.valueOf(config.getClientKeyAlgo()).toUpperCase(Locale.ROOT));
        return elliptic ? new String[] {"EC", "RSA"} : new String[] {"RSA", "EC"};
    }

    private static void checkPair(KeyManager[] managers) throws GeneralSecurityException {
        for (KeyManager manager : managers) {
            if (manager instanceof X509KeyManager keys) {
                for (String type : new String[] {"RSA", "EC"}) {
                    String[] aliases = keys.getClientAliases(type, null);
                    for (String alias : aliases == null ? new String[0] : aliases) {
                        checkPair(keys.getPrivateKey(alias), keys.getCertificateChain(alias)[0].getPublicKey());
                    }
                }
            }
        }
    }

    private static void checkPair(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        byte[] text = "reconciler4j".getBytes(StandardCharsets.US_ASCII);
        Signature signature =
                Signature.getInstance("SHA256with" + (key.getAlgorithm().equals("EC") ? "ECDSA" : "RSA"));
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(text);
        if (!signature.verify(signed)) {
            throw new InvalidKeyException("The client key does not belong to the client certificate");
        }
    }

    /** The content of the files at one time. */
    private static final class Snapshot {

        private final byte @Nullable [] authority;
        private final byte @Nullable [] certificate;
        private final byte @Nullable [] key;

        Snapshot(byte @Nullable [] authority, byte @Nullable [] certificate, byte @Nullable [] key) {
            this.authority = authority;
            this.certificate = certificate;
            this.key = key;
        }

        boolean isSameAs(Snapshot other) {
            return Arrays.equals(authority, other.authority)
                    && Arrays.equals(certificate, other.certificate)
                    && Arrays.equals(key, other.key);
        }
    }
}
