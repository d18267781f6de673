package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reconciler4j.support.internal.PemKey;
import io.github.reconciler4j.webhook.ServerCertificate;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.wildfly.security.x500.GeneralName;
import org.wildfly.security.x500.X500;
import org.wildfly.security.x500.cert.AuthorityKeyIdentifierExtension;
import org.wildfly.security.x500.cert.BasicConstraintsExtension;
import org.wildfly.security.x500.cert.ExtendedKeyUsageExtension;
import org.wildfly.security.x500.cert.KeyUsage;
import org.wildfly.security.x500.cert.KeyUsageExtension;
import org.wildfly.security.x500.cert.SubjectAlternativeNamesExtension;
import org.wildfly.security.x500.cert.SubjectKeyIdentifierExtension;
import org.wildfly.security.x500.cert.X509CertificateBuilder;
import org.wildfly.security.x500.cert.util.KeyUtil;

/** A certificate authority with its private key. Immutable. */
public record Authority(X509Certificate certificate, PrivateKey key) {

    private static final String CURVE = "secp256r1";
    private static final String ALGORITHM = "SHA256withECDSA";
    private static final int SERIAL_BITS = 120;

    /** Clocks of other machines may be behind. */
    private static final Duration BACKDATE = Duration.ofMinutes(5);

    /** Create an authority. */
    public static Authority create(String name, Instant now, Duration life) throws GeneralSecurityException {
        KeyPair pair = keyPair();
        X500Principal subject = new X500Principal("CN=" + name);
        X509Certificate certificate = builder(subject, subject, now, now.plus(life), pair.getPublic())
                .addExtension(new BasicConstraintsExtension(true, true, 0))
                .addExtension(new KeyUsageExtension(true, KeyUsage.keyCertSign))
                .addExtension(new SubjectKeyIdentifierExtension(KeyUtil.getKeyIdentifier(pair.getPublic())))
                .setSigningKey(pair.getPrivate())
                .build();
        return new Authority(certificate, pair.getPrivate());
    }

    /** Issue a certificate for a server. It expires with the authority at the latest. */
    public ServerCertificate issue(List<String> hosts, Instant now, Duration life) throws GeneralSecurityException {
        KeyPair pair = keyPair();
        Instant end = now.plus(life);
        Instant limit = certificate.getNotAfter().toInstant();
        List<GeneralName> names = hosts.stream().map(Authority::name).toList();
        X509Certificate issued = builder(
                        certificate.getSubjectX500Principal(),
                        new X500Principal("CN=webhook"),
                        now,
                        end.isAfter(limit) ? limit : end,
                        pair.getPublic())
                .addExtension(new SubjectAlternativeNamesExtension(false, names))
                .addExtension(new BasicConstraintsExtension(true, false, -1))
                .addExtension(new KeyUsageExtension(true, KeyUsage.digitalSignature))
                .addExtension(new ExtendedKeyUsageExtension(false, List.of(X500.OID_KP_SERVER_AUTH)))
                .addExtension(new AuthorityKeyIdentifierExtension(
                        KeyUtil.getKeyIdentifier(certificate.getPublicKey()), null, null))
                .setSigningKey(key)
                .build();
        return ServerCertificate.of(pair.getPrivate(), List.of(issued, certificate));
    }

    private static GeneralName name(String host) {
        return isAddress(host) ? new GeneralName.IPAddress(host) : new GeneralName.DNSName(host);
    }

    private static boolean isAddress(String host) {
        return host.contains(":") || host.matches("[0-9.]+");
    }

    private static X509CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, Instant now, Instant end, PublicKey key) {
        return new X509CertificateBuilder()
                .setIssuerDn(issuer)
                .setSubjectDn(subject)
                .setSerialNumber(new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE))
                .setNotValidBefore(now.minus(BACKDATE).atZone(ZoneOffset.UTC))
                .setNotValidAfter(end.atZone(ZoneOffset.UTC))
                .setPublicKey(key)
                .setSignatureAlgorithmName(ALGORITHM);
    }

    private static KeyPair keyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(CURVE));
        return generator.generateKeyPair();
    }

    /** Return certificates as PEM text. */
    public static String pem(List<X509Certificate> certificates) throws GeneralSecurityException {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            text.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        return text.toString();
    }

    /** Return a private key as PEM text. */
    public static String pem(PrivateKey key) {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    private static String pem(String type, byte[] content) {
        String encoded = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + type + "-----\n" + encoded + "\n-----END " + type + "-----\n";
    }

    /**
     * Read certificates from PEM text.
     *
     * @throws GeneralSecurityException if the text has no certificate or an invalid one
     */
    public static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Certificate certificate : CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(UTF_8)))) {
            certificates.add((X509Certificate) certificate);
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException("there is no certificate in the PEM text");
        }
        return certificates;
    }

    /**
     * Read a private key from PEM text, in any format that OpenSSL writes without encryption.
     *
     * @throws GeneralSecurityException if the text has no private key
     */
    public static PrivateKey privateKey(String pem) throws GeneralSecurityException {
        PrivateKey key = PemKey.parse(pem.getBytes(UTF_8));
        if (key == null) {
            throw new InvalidKeyException(
                    "there is no private key in the PEM text that can be read without a password");
        }
        return key;
    }

    /** Return whether a private key belongs to a certificate. */
    public static boolean belong(PrivateKey key, X509Certificate certificate) {
        try {
            String algorithm = key.getAlgorithm().equals("RSA")
                    ? "SHA256withRSA"
                    : key.getAlgorithm().startsWith("Ed") ? key.getAlgorithm() : ALGORITHM;
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update((byte) 1);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update((byte) 1);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
