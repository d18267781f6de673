package io.github.reconciler4j.client.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.github.reconciler4j.client.internal.kubeconfig.Credential;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;
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
    private static final char[] NO_PASSWORD = {};
    private static final long CHECK_INTERVAL = TimeUnit.SECONDS.toNanos(10);

    private final Config config;
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
        Collection<? extends Certificate> certificates = certificates(authority, "certificate authority");
        for (Certificate certificate : certificates) {
            trusted.setCertificateEntry("authority-" + trusted.size(), certificate);
        }
        if (trustsThatOfTheJvm) {
            addAuthoritiesOfTheJvm(trusted);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    private static void addAuthoritiesOfTheJvm(KeyStore to) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        for (TrustManager manager : factory.getTrustManagers()) {
            for (Certificate certificate : ((X509TrustManager) manager).getAcceptedIssuers()) {
                to.setCertificateEntry("authority-" + to.size(), certificate);
            }
        }
    }

    private static Collection<? extends Certificate> certificates(byte[] pem, String what) throws CertificateException {
        Collection<? extends Certificate> found =
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
        if (found.isEmpty()) {
            throw new CertificateException("The file of the " + what + " contains no certificate");
        }
        return found;
    }

    private KeyManager @Nullable [] keyManagers(Snapshot from) throws GeneralSecurityException {
        if (from.certificate == null || from.key == null) {
            return null;
        }
        PrivateKey own = isEmpty(config.getKeyStoreFile()) && System.getProperty("javax.net.ssl.keyStore") == null
                ? PemKey.parse(from.key)
                : null;
        KeyManager[] managers = own == null ? ofStore(from.certificate, from.key) : keyManagers(own, from.certificate);
        checkPair(managers);
        return managers;
    }

    /** A store of this type costs nothing: that of PKCS #12 encrypts keys and decrypts them again. */
    private static KeyManager[] keyManagers(PrivateKey key, byte[] certificate) throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("JKS");
            store.load(null, null);
            store.setKeyEntry(
                    "client",
                    key,
                    NO_PASSWORD,
                    certificates(certificate, "client certificate").toArray(Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return factory.getKeyManagers();
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private KeyManager[] ofStore(byte[] certificate, byte[] key) throws GeneralSecurityException {
        Exception failure = null;
        for (String algorithm : algorithms(key)) {
            try {
                return SSLUtils.keyManagers(
                        new ByteArrayInputStream(certificate),
                        new ByteArrayInputStream(key),
                        algorithm,
                        config.getClientKeyPassphrase(),
                        config.getKeyStoreFile(),
                        config.getKeyStorePassphrase() == null ? "" : config.getKeyStorePassphrase());
            } catch (GeneralSecurityException | IOException e) { // a key of the other algorithm is one of both
                failure = e;
            }
        }
        throw new InvalidKeyException("The client certificate and key cannot be read", failure);
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
     * Private keys in the usual forms of PEM: PKCS #8, and the older ones of RSA (PKCS #1) and of elliptic curves (SEC 1), which become
     * PKCS #8 by a few bytes around them.
     */
    static final class PemKey {

        private static final Pattern PEM = Pattern.compile(
                "-----BEGIN (RSA |EC |)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");

        private static final int SEQUENCE = 0x30;
        private static final int OCTETS = 4;
        private static final int CURVE = 0xa0;
        private static final byte[] VERSION = {2, 1, 0};
        private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");
        private static final byte[] ELLIPTIC = HexFormat.of().parseHex("06072a8648ce3d0201");

        private PemKey() {}

        /** Return the first key of a text, null if its form is another one. */
        static @Nullable PrivateKey parse(byte[] text) {
            Matcher pem = PEM.matcher(new String(text, StandardCharsets.ISO_8859_1));
            if (!pem.find()) {
                return null;
            }
            try {
                byte[] key = Base64.getMimeDecoder().decode(pem.group(2));
                return switch (pem.group(1)) {
                    case "RSA " -> key("RSA", pkcs8(RSA, key));
                    case "EC " -> key("EC", pkcs8(concat(ELLIPTIC, curve(key)), key));
                    default -> pkcs8(key);
                };
            } catch (GeneralSecurityException
                    | IllegalArgumentException
                    | BufferUnderflowException
                    | IndexOutOfBoundsException e) {
                return null;
            }
        }

        private static PrivateKey pkcs8(byte[] key) throws GeneralSecurityException {
            try {
                return key("RSA", key);
            } catch (GeneralSecurityException e) {
                return key("EC", key);
            }
        }

        private static PrivateKey key(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        }

        private static byte[] pkcs8(byte[] algorithm, byte[] key) {
            return encode(SEQUENCE, concat(VERSION, encode(SEQUENCE, algorithm), encode(OCTETS, key)));
        }

        /** Return the identifier of the curve, which comes after version and number. */
        private static byte[] curve(byte[] key) {
            ByteBuffer fields = next(ByteBuffer.wrap(key), SEQUENCE);
            while (Byte.toUnsignedInt(fields.get(fields.position())) != CURVE) {
                next(fields, Byte.toUnsignedInt(fields.get(fields.position())));
            }
            ByteBuffer curve = next(fields, CURVE);
            byte[] bytes = new byte[curve.remaining()];
            curve.get(bytes);
            return bytes;
        }

        /** Return the content of the next element of DER, which must have the given tag. */
        private static ByteBuffer next(ByteBuffer from, int tag) {
            int found = Byte.toUnsignedInt(from.get());
            int length = Byte.toUnsignedInt(from.get());
            if (length > 0x7f) {
                int bytes = length & 0x7f;
                length = 0;
                for (int i = 0; i < bytes; i++) {
                    length = length << 8 | Byte.toUnsignedInt(from.get());
                }
            }
            if (found != tag || length < 0 || length > from.remaining()) {
                throw new BufferUnderflowException();
            }
            ByteBuffer content = from.slice(from.position(), length);
            from.position(from.position() + length);
            return content;
        }

        private static byte[] encode(int tag, byte[] content) {
            byte[] head = content.length < 0x80
                    ? new byte[] {(byte) tag, (byte) content.length}
                    : content.length < 0x100
                            ? new byte[] {(byte) tag, (byte) 0x81, (byte) content.length}
                            : new byte[] {(byte) tag, (byte) 0x82, (byte) (content.length >> 8), (byte) content.length};
            return concat(head, content);
        }

        private static byte[] concat(byte[]... parts) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] part : parts) {
                all.writeBytes(part);
            }
            return all.toByteArray();
        }
    }
}
