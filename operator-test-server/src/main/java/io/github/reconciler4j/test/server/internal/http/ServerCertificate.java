package io.github.reconciler4j.test.server.internal.http;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.net.ssl.SSLException;

/**
 * A certificate for the loopback interface, made anew in each JVM and shared by its servers. It is its own authority, so
 * clients trust nothing else by trusting it.
 *
 * @since 0.1.0
 */
public final class ServerCertificate {
    private static final byte[] SIGNATURE = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));
    private static final Duration SKEW = Duration.ofDays(1);
    private static final Duration LIFE = Duration.ofDays(365);
    private static final int SERIAL_BITS = 64;

    private final KeyPair keys;
    private final X509Certificate certificate;

    private ServerCertificate(KeyPair keys, X509Certificate certificate) {
        this.keys = keys;
        this.certificate = certificate;
    }

    private static final class Shared {
        static final ServerCertificate INSTANCE = make();
    }

    /** The one of this JVM. */
    public static ServerCertificate shared() {
        return Shared.INSTANCE;
    }

    private static ServerCertificate make() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            byte[] body = body(keys);
            Signature signer = Signature.getInstance("SHA256withECDSA");
            signer.initSign(keys.getPrivate());
            signer.update(body);
            byte[] whole = Der.sequence(body, SIGNATURE, Der.bits(0, signer.sign()));
            X509Certificate certificate = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
            return new ServerCertificate(keys, certificate);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM cannot make a certificate", e);
        }
    }

    private static byte[] body(KeyPair keys) {
        Instant now = Instant.now();
        byte[] name = Der.sequence(Der.set(Der.sequence(Der.oid(2, 5, 4, 3), Der.text("reconciler4j test server"))));
        return Der.sequence(
                Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0)),
                SIGNATURE,
                name,
                Der.sequence(Der.time(now.minus(SKEW)), Der.time(now.plus(LIFE))),
                name,
                keys.getPublic().getEncoded(),
                Der.tagged(0xa3, extensions()));
    }

    private static byte[] extensions() {
        byte[] names = Der.sequence(
                Der.tagged(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)),
                Der.tagged(0x87, new byte[] {127, 0, 0, 1}),
                Der.tagged(0x87, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
        byte[] mayServe = Der.sequence(Der.oid(1, 3, 6, 1, 5, 5, 7, 3, 1));
        byte[] maySign = Der.bits(2, new byte[] {(byte) 0x84});
        return Der.sequence(
                Der.sequence(Der.oid(2, 5, 29, 19), Der.yes(), Der.octets(Der.sequence(Der.yes()))),
                Der.sequence(Der.oid(2, 5, 29, 15), Der.yes(), Der.octets(maySign)),
                Der.sequence(Der.oid(2, 5, 29, 37), Der.octets(mayServe)),
                Der.sequence(Der.oid(2, 5, 29, 17), Der.octets(names)));
    }

    /** The certificate as PEM text. */
    public String pem() {
        try {
            byte[] line = {'\n'};
            String body = Base64.getMimeEncoder(64, line).encodeToString(certificate.getEncoded());
            return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a server needs to encrypt with it; offers HTTP/2 and HTTP/1.1, or the latter alone. */
    public SslContext sslContext(boolean http2) {
        String[] protocols = http2
                ? new String[] {ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1}
                : new String[] {ApplicationProtocolNames.HTTP_1_1};
        try {
            return SslContextBuilder.forServer(keys.getPrivate(), certificate)
                    .sslProvider(SslProvider.JDK)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            protocols))
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("this JVM cannot encrypt", e);
        }
    }
}
