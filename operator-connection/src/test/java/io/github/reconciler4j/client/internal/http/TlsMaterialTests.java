package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.TestCertificates;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When certificates are read, and which are refused. */
class TlsMaterialTests {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final TestCertificates certificates = TestCertificates.create("127.0.0.1");
    private final X509Bundle one = certificates.client("one");
    private final X509Bundle two = certificates.client("two");
    private final ManualTimeSource time = new ManualTimeSource();

    @TempDir
    private Path folder;

    private Config config() {
        return new ConfigBuilder(Config.empty())
                .withCaCertData(certificates.authorityPem())
                .withClientCertData(one.getCertificatePEM())
                .withClientKeyData(one.getPrivateKeyPEM())
                .build();
    }

    private TlsMaterial material(Config config) throws GeneralSecurityException, IOException {
        return new TlsMaterial(config, time, false);
    }

    private void assertRefused(Config config, Class<? extends Exception> type, String message) {
        assertThatThrownBy(() -> material(config)).isInstanceOf(type).hasMessage(message);
    }

    @Test
    void materialWithoutFilesIsReadOnce() throws Exception {
        TlsMaterial material = material(config());
        SSLContext context = material.context();
        time.advance(INTERVAL);
        assertThat(material.refresh()).isFalse();
        assertThat(material.generation()).isZero();
        assertThat(material.context()).isSameAs(context);
    }

    @ParameterizedTest
    @ValueSource(strings = {"authority", "certificate", "key"})
    void fileIsReadAgainEveryTenSecondsWhicheverItIs(String which) throws Exception {
        Path file = folder.resolve(which);
        Config config = config();
        String pem;
        if (which.equals("authority")) {
            pem = config.getCaCertData();
            config.setCaCertData("");
            config.setCaCertFile(file.toString());
        } else if (which.equals("certificate")) {
            pem = config.getClientCertData();
            config.setClientCertData(null);
            config.setClientCertFile(file.toString());
        } else {
            pem = config.getClientKeyData();
            config.setClientKeyData("");
            config.setClientKeyFile(file.toString());
        }
        Files.writeString(file, pem);
        TlsMaterial material = material(config);
        SSLContext first = material.context();
        Files.writeString(file, pem + "\n");

        time.advance(INTERVAL.minusNanos(1));
        assertThat(material.refresh()).isFalse();
        assertThat(material.context()).isSameAs(first);
        time.advance(Duration.ofNanos(1));
        assertThat(material.refresh()).isTrue();

        assertThat(material.generation()).isEqualTo(1);
        assertThat(material.context()).isNotSameAs(first);
        Files.writeString(file, pem);
        assertThat(material.refresh()).as("too early").isFalse();
        material.recheck();
        assertThat(material.refresh()).isTrue();
        time.advance(INTERVAL);
        assertThat(material.refresh()).as("the same").isFalse();
        assertThat(material.generation()).isEqualTo(2);
    }

    @Test
    void keyWhenItBelongsToAnotherCertificateIsRefused() {
        Config config = config();
        config.setClientKeyData(two.getPrivateKeyPEM());
        assertRefused(config, InvalidKeyException.class, "The client key does not belong to the client certificate");
    }

    @Test
    void keyWhenItCannotBeReadIsRefused() {
        Config config = config();
        config.setClientKeyData("no key");
        assertRefused(
                config,
                InvalidKeyException.class,
                "The client key is no private key in PEM that can be read without a password");
    }

    @Test
    void certificatesWhenThereAreNoneAreRefused() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), "");
        Config config = config();
        config.setCaCertData(null);
        config.setCaCertFile(empty.toString());
        assertRefused(
                config, CertificateException.class, "The file of the certificate authority contains no certificate");
        Config client = config();
        client.setClientCertData(null);
        client.setClientCertFile(empty.toString());
        assertRefused(client, CertificateException.class, "The file of the client certificate contains no certificate");
    }

    /** A kubeconfig has base64, and sometimes plain PEM. */
    @Test
    void dataIsPemOrPemInBase64() throws Exception {
        Config config = config();
        config.setClientKeyData(
                Base64.getEncoder().encodeToString(one.getPrivateKeyPEM().getBytes(StandardCharsets.US_ASCII)));
        assertThat(material(config).context()).isNotNull();
        config.setClientKeyData(
                Base64.getEncoder().encodeToString(two.getPrivateKeyPEM().getBytes(StandardCharsets.US_ASCII)));
        assertRefused(config, InvalidKeyException.class, "The client key does not belong to the client certificate");
    }

    @Test
    void keyWithoutACertificateIsNotUsed() throws Exception {
        Config config = config();
        config.setClientCertData(null);
        config.setClientKeyData("no key");
        assertThat(material(config).context()).isNotNull();
    }

    @Test
    void authorityWhenAllServersAreTrustedIsNotRead() throws Exception {
        Config config = config();
        config.setCaCertData("no certificate");
        config.setTrustCerts(true);
        assertThat(material(config).context()).isNotNull();
        config.setTrustCerts(false);
        assertThatThrownBy(() -> material(config)).isInstanceOf(CertificateException.class);
    }
}
