package io.github.reconciler4j.client.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.internal.kubeconfig.Credential;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.PemKey;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
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
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
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
    private final Stores stores;
    private final TimeSource time;
    private final LogLimiter warnings;
    private final boolean hasFiles;
    private final boolean trustsThatOfTheJvm;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile SSLContext context;
    private volatile int generation;
    private volatile long nextCheck;

    private volatile @Nullable Credential issued;

    @GuardedBy("lock")
    private Snapshot loaded;

    @GuardedBy("lock")
    private @Nullable Snapshot rejected;

    /**
     * Load the material.
     *
     * @param trustsThatOfTheJvm whether the authorities of the JVM are trusted even if the configuration names one
     * @throws GeneralSecurityException if it cannot be used
     * @throws IOException if a file cannot be read
     */
    TlsMaterial(Config config, TimeSource time, boolean trustsThatOfTheJvm)
            throws GeneralSecurityException, IOException {
        this.config = config;
        this.stores = new Stores(config);
        this.trustsThatOfTheJvm = trustsThatOfTheJvm;
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

    /**
     * Use the client certificate of a plug-in for new connections.
     *
     * @throws GeneralSecurityException if it cannot be used; the previous one stays in use
     */
    void use(Credential credential) throws GeneralSecurityException {
        if (issued == credential) {
            return;
        }
        lock.lock();
        try {
            Snapshot next = new Snapshot(loaded.authority, bytes(credential.certificate()), bytes(credential.key()));
            if (!next.isSameAs(loaded)) {
                context = load(next);
                loaded = next;
                generation++;
            }
            issued = credential;
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        } finally {
            lock.unlock();
        }
    }

    private static byte @Nullable [] bytes(@Nullable String pem) {
        return pem == null ? null : pem.getBytes(StandardCharsets.US_ASCII);
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
                            "Could not read the certificates again, so the previous ones stay in use (R4J-033): {}{}",
                            Texts.of(e),
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
            logger.warn("The new certificates are unusable, so the previous ones stay (R4J-034): {}", Texts.of(e));
        }
    }

    private Snapshot read() throws IOException {
        Credential current = issued;
        if (current != null) {
            return new Snapshot(
                    content(config.getCaCertData(), config.getCaCertFile()),
                    bytes(current.certificate()),
                    bytes(current.key()));
        }
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
            if (data.contains("-----BEGIN")) { // which the decoder may take for base64, as it skips what is none
                return data.getBytes(StandardCharsets.UTF_8);
            }
            try {
                return Base64.getMimeDecoder().decode(data);
            } catch (IllegalArgumentException e) {
                return data.getBytes(StandardCharsets.UTF_8);
            }
        }
        return file == null || file.isEmpty() ? null : Files.readAllBytes(Path.of(file));
    }

    private SSLContext load(Snapshot from) throws GeneralSecurityException, IOException {
        Collection<? extends Certificate> authorities = from.authority == null || config.isTrustCerts()
                ? List.of()
                : certificates(from.authority, "certificate authority");
        SSLContext created = SSLContext.getInstance("TLS");
        created.init(keyManagers(from), stores.trustManagers(authorities, trustsThatOfTheJvm), null);
        return created;
    }

    private static Collection<? extends Certificate> certificates(byte[] pem, String what) throws CertificateException {
        Collection<? extends Certificate> found =
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
        if (found.isEmpty()) {
            throw new CertificateException("The file of the " + what + " contains no certificate");
        }
        return found;
    }

    private KeyManager @Nullable [] keyManagers(Snapshot from) throws GeneralSecurityException, IOException {
        if (from.certificate == null || from.key == null) {
            return null;
        }
        PrivateKey key = PemKey.parse(from.key);
        if (key == null) {
            throw new InvalidKeyException(
                    "The client key is no private key in PEM that can be read without a password");
        }
        List<Certificate> chain = List.copyOf(certificates(from.certificate, "client certificate"));
        checkPair(key, chain.get(0).getPublicKey());
        return stores.keyManagers(key, chain);
    }

    private static void checkPair(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        if (key instanceof RSAPrivateKey rsa && certified instanceof RSAPublicKey rsaCertified) {
            check(rsa.getModulus().equals(rsaCertified.getModulus()));
            return;
        }
        byte[] text = "reconciler4j".getBytes(StandardCharsets.US_ASCII);
        Signature signature =
                Signature.getInstance("SHA256with" + (key.getAlgorithm().equals("EC") ? "ECDSA" : "RSA"));
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(text);
        check(signature.verify(signed));
    }

    private static void check(boolean isPair) throws InvalidKeyException {
        if (!isPair) {
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

    /**
     * Makes certificates and keys known to TLS, together with those in the stores that the configuration of a client names. Not
     * thread-safe.
     */
    static final class Stores {

        private static final char[] NO_PASSWORD = {};

        private final Config config;

        Stores(Config config) {
            this.config = config;
        }

        /**
         * Return what trusts servers: the given authorities and those of the trust store, and those of the JVM if asked for or if
         * there are no others.
         */
        TrustManager[] trustManagers(Collection<? extends Certificate> authorities, boolean thoseOfTheJvm)
                throws GeneralSecurityException, IOException {
            if (config.isTrustCerts()) {
                return new TrustManager[] {new TrustingManager()};
            }
            KeyStore trusted = open(config.getTrustStoreFile(), config.getTrustStorePassphrase());
            for (Certificate certificate : authorities) {
                addAuthority(trusted, certificate);
            }
            if (thoseOfTheJvm || trusted.size() == 0) {
                addAuthoritiesOfTheJvm(trusted);
            }
            return trustManagersOf(trusted);
        }

        /** Return what shows servers a certificate, or one of the key store if they do not accept that. */
        KeyManager[] keyManagers(PrivateKey key, Collection<? extends Certificate> chain)
                throws GeneralSecurityException, IOException {
            KeyStore store = open(keyStoreFile(), keyStorePassword());
            char[] password = isEmpty(keyStoreFile()) ? NO_PASSWORD : chars(config.getClientKeyPassphrase());
            store.setKeyEntry("reconciler4j-client", key, password, chain.toArray(Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, password);
            return factory.getKeyManagers();
        }

        private @Nullable String keyStoreFile() {
            String file = config.getKeyStoreFile();
            return isEmpty(file) ? System.getProperty("javax.net.ssl.keyStore") : file;
        }

        private @Nullable String keyStorePassword() {
            String password = config.getKeyStorePassphrase();
            return isEmpty(config.getKeyStoreFile()) && isEmpty(password)
                    ? System.getProperty("javax.net.ssl.keyStorePassword")
                    : password;
        }

        /** Open a store, or an empty one of a type that costs nothing: that of PKCS #12 encrypts keys and decrypts them again. */
        private static KeyStore open(@Nullable String file, @Nullable String password)
                throws GeneralSecurityException, IOException {
            if (file != null && !file.isEmpty()) {
                return KeyStore.getInstance(new File(file), chars(password));
            }
            KeyStore empty = KeyStore.getInstance("JKS");
            empty.load(null, null);
            return empty;
        }

        private static char[] chars(@Nullable String password) {
            return password == null ? NO_PASSWORD : password.toCharArray();
        }

        private static void addAuthority(KeyStore to, Certificate certificate) throws GeneralSecurityException {
            to.setCertificateEntry("reconciler4j-authority-" + to.size(), certificate);
        }

        private static void addAuthoritiesOfTheJvm(KeyStore to) throws GeneralSecurityException {
            for (TrustManager manager : trustManagersOf(null)) {
                for (Certificate certificate : ((X509TrustManager) manager).getAcceptedIssuers()) {
                    addAuthority(to, certificate);
                }
            }
        }

        private static TrustManager[] trustManagersOf(@Nullable KeyStore trusted) throws GeneralSecurityException {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory.getTrustManagers();
        }

        /** Trusts all servers, as the configuration demands. An extended one also keeps the JVM from comparing the name of the host. */
        private static final class TrustingManager extends X509ExtendedTrustManager {

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        }
    }
}
