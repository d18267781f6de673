package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reconciler4j.webhook.ServerCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
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
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority with its private key. Immutable. */
public record Authority(X509Certificate certificate, PrivateKey key) {

    private static final String CURVE = "secp256r1";
    private static final String ALGORITHM = "SHA256withECDSA";
    private static final int SERIAL_BITS = 120;

    /** Clocks of other machines may be behind. */
    private static final Duration BACKDATE = Duration.ofMinutes(5);

    /** Create an authority. */
    public static Authority create(String name, Instant now, Duration life) throws GeneralSecurityException {
        try {
            KeyPair pair = keyPair();
            X500Principal subject = new X500Principal("CN=" + name);
            X509v3CertificateBuilder builder = builder(subject, subject, now, now.plus(life), pair.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
            builder.addExtension(
                    Extension.subjectKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
            return new Authority(sign(builder, pair.getPrivate()), pair.getPrivate());
        } catch (IOException e) {
            throw new GeneralSecurityException("Could not create a certificate authority", e);
        }
    }

    /** Issue a certificate for a server. It expires with the authority at the latest. */
    public ServerCertificate issue(List<String> hosts, Instant now, Duration life) throws GeneralSecurityException {
        try {
            KeyPair pair = keyPair();
            Instant end = now.plus(life);
            Instant limit = certificate.getNotAfter().toInstant();
            X509v3CertificateBuilder builder = builder(
                    certificate.getSubjectX500Principal(),
                    new X500Principal("CN=webhook"),
                    now,
                    end.isAfter(limit) ? limit : end,
                    pair.getPublic());
            GeneralName[] names = hosts.stream()
                    .map(host -> new GeneralName(isAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName, host))
                    .toArray(GeneralName[]::new);
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(certificate));
            return ServerCertificate.of(pair.getPrivate(), List.of(sign(builder, key), certificate));
        } catch (IOException e) {
            throw new GeneralSecurityException("Could not issue a certificate", e);
        }
    }

    private static boolean isAddress(String host) {
        return host.contains(":") || host.matches("[0-9.]+");
    }

    private static X509v3CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, Instant now, Instant end, PublicKey key) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
                Date.from(now.minus(BACKDATE)),
                Date.from(end),
                subject,
                key);
    }

    private static KeyPair keyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(CURVE));
        return generator.generateKeyPair();
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(ALGORITHM).build(key)));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException("Could not sign a certificate", e);
        }
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
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
            for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
                if (part instanceof PEMKeyPair pair) {
                    return converter.getPrivateKey(pair.getPrivateKeyInfo());
                }
                if (part instanceof PrivateKeyInfo info) {
                    return converter.getPrivateKey(info);
                }
            }
        } catch (IOException e) {
            throw new GeneralSecurityException("the PEM text is not a private key", e);
        }
        throw new GeneralSecurityException("there is no private key in the PEM text");
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
