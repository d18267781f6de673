package io.github.reconciler4j.test.server.internal.http;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.KeyUsage;
import io.netty.pkitesting.X509Bundle;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLException;

/** A self-signed certificate for the loopback interface. The servers of a JVM share one. Immutable. */
public final class ServerCertificate {
    private static final Duration SKEW = Duration.ofDays(1);
    private static final Duration LIFE = Duration.ofDays(365);

    private final X509Bundle bundle;

    private ServerCertificate(X509Bundle bundle) {
        this.bundle = bundle;
    }

    private static final class Shared {
        static final ServerCertificate INSTANCE = create();
    }

    public static ServerCertificate shared() {
        return Shared.INSTANCE;
    }

    private static ServerCertificate create() {
        Instant now = Instant.now();
        try {
            return new ServerCertificate(new CertificateBuilder()
                    .ecp256()
                    .subject("CN=reconciler4j test server")
                    .notBefore(now.minus(SKEW))
                    .notAfter(now.plus(LIFE))
                    .addSanDnsName("localhost")
                    .addSanIpAddress("127.0.0.1")
                    .addSanIpAddress("::1")
                    .setIsCertificateAuthority(true)
                    .setKeyUsage(true, KeyUsage.digitalSignature, KeyUsage.keyCertSign)
                    .addExtendedKeyUsageServerAuth()
                    .buildSelfSigned());
        } catch (Exception e) {
            throw new IllegalStateException("Could not create the certificate of the test server", e);
        }
    }

    public String pem() {
        return bundle.getCertificatePEM();
    }

    /** Return the TLS context of a server that offers HTTP/2 and HTTP/1.1, or HTTP/1.1 alone. */
    public SslContext sslContext(boolean http2) {
        String[] protocols = http2
                ? new String[] {ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1}
                : new String[] {ApplicationProtocolNames.HTTP_1_1};
        try {
            return SslContextBuilder.forServer(bundle.getKeyPair().getPrivate(), bundle.getCertificate())
                    .sslProvider(SslProvider.JDK)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            protocols))
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("Could not create the TLS context of the test server", e);
        }
    }
}
