package io.github.reconciler4j.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.KeyUsage;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.stream.Collectors;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A certificate authority with a server certificate and any number of client certificates. */
public final class TestCertificates {

    private static final char[] PASSWORD = "test".toCharArray();

    private final X509Bundle authority;
    private final X509Bundle server;
    private volatile KeyManager[] keyManagers;

    private TestCertificates(X509Bundle authority, X509Bundle server) {
        this.authority = authority;
        this.server = server;
    }

    /** Creates an authority and the certificate of a server with these names and addresses. */
    public static TestCertificates create(String... names) {
        try {
            X509Bundle authority = new CertificateBuilder()
                    .ecp256()
                    .subject("CN=test authority")
                    .setIsCertificateAuthority(true)
                    .setKeyUsage(true, KeyUsage.digitalSignature, KeyUsage.keyCertSign)
                    .buildSelfSigned();
            CertificateBuilder server = new CertificateBuilder().ecp256().subject("CN=test server");
            server.setKeyUsage(true, KeyUsage.digitalSignature).addExtendedKeyUsageServerAuth();
            for (String name : names) {
                if (Character.isDigit(name.charAt(0)) || name.contains(":")) {
                    server.addSanIpAddress(name);
                } else {
                    server.addSanDnsName(name);
                }
            }
            return new TestCertificates(authority, server.buildIssuedBy(authority));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The certificate of the authority. */
    public String authorityPem() {
        return authority.getCertificatePEM();
    }

    /** A certificate for a client, with its key. */
    public X509Bundle client(String name) {
        try {
            return new CertificateBuilder()
                    .ecp256()
                    .subject("CN=" + name)
                    .setKeyUsage(true, KeyUsage.digitalSignature)
                    .addExtendedKeyUsageClientAuth()
                    .buildIssuedBy(authority);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A configuration that trusts the authority. */
    public Config config(String url) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(url)
                .withCaCertData(
                        Base64.getEncoder().encodeToString(authorityPem().getBytes(StandardCharsets.US_ASCII)))
                .build();
    }

    /** Listens on loopback with the server's certificate. */
    ServerSocket listen(boolean needsClientCertificate) {
        try {
            SSLServerSocket socket = (SSLServerSocket)
                    context().getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
            socket.setNeedClientAuth(needsClientCertificate);
            return socket;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    SSLContext context() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", authority.getCertificate());
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers().clone(), trustManagers.getTrustManagers(), null);
        return context;
    }

    /** The key of a store is encrypted with ten thousand rounds, so it is read once. */
    private KeyManager[] keyManagers() throws GeneralSecurityException, IOException {
        KeyManager[] known = keyManagers;
        if (known == null) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("server", server.getKeyPair().getPrivate(), PASSWORD, server.getCertificatePath());
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, PASSWORD);
            known = factory.getKeyManagers();
            keyManagers = known;
        }
        return known;
    }

    /** What a client asked for, and the subject of its certificate. */
    static String describePeer(SSLSocket socket) throws IOException {
        socket.startHandshake();
        ExtendedSSLSession session = (ExtendedSSLSession) socket.getSession();
        String names = session.getRequestedServerNames().stream()
                .map(name -> ((SNIHostName) name).getAsciiName())
                .collect(Collectors.joining(","));
        try {
            X509Certificate certificate = (X509Certificate) session.getPeerCertificates()[0];
            return names + " " + certificate.getSubjectX500Principal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return names;
        }
    }
}
