package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.webhook.internal.Authority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCertificatesTests {

    @TempDir
    Path folder;

    private final List<X509Certificate> used = new CopyOnWriteArrayList<>();
    private FileCertificates certificates;

    @AfterEach
    void stop() {
        if (certificates != null) {
            certificates.stop();
        }
    }

    private void start() throws Exception {
        certificates = FileCertificates.in(folder, Duration.ofMillis(20));
        certificates.start(new Server());
    }

    private static Authority authority(Duration life) throws Exception {
        return Authority.create("files", Instant.now(), life);
    }

    /** Swaps a link to a folder, as the kubelet does. */
    private void swap(String name, Authority authority) throws Exception {
        Path version = Files.createDirectory(folder.resolve(name));
        write(version, Authority.pem(List.of(authority.certificate())), Authority.pem(authority.key()));
        Path link = Files.createSymbolicLink(folder.resolve("next"), version.getFileName());
        Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        for (String file : List.of("tls.crt", "tls.key")) {
            if (!Files.exists(folder.resolve(file))) {
                Files.createSymbolicLink(folder.resolve(file), Path.of("..data", file));
            }
        }
    }

    private static void write(Path folder, String certificate, String key) throws Exception {
        Files.writeString(folder.resolve("tls.crt"), certificate);
        Files.writeString(folder.resolve("tls.key"), key);
    }

    @Test
    void filesWhenSwappedAreFollowed() throws Exception {
        swap("v1", authority(Duration.ofHours(1)));
        start();
        for (int i = 2; i <= 4; i++) {
            Authority next = authority(Duration.ofHours(1));
            swap("v" + i, next);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(used).endsWith(next.certificate()));
        }
        assertThat(used).hasSize(4);
    }

    @Test
    void filesWhenTheyDoNotBelongTogetherAreNotUsed() throws Exception {
        Authority first = authority(Duration.ofHours(1));
        Authority second = authority(Duration.ofHours(1));
        write(folder, Authority.pem(List.of(first.certificate())), Authority.pem(first.key()));
        start();
        Files.writeString(folder.resolve("tls.crt"), Authority.pem(List.of(second.certificate())));

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() ->
                        assertThat(certificates.details().toString()).contains("tls.key does not belong to tls.crt"));
        assertThat(used).containsExactly(first.certificate());
        Files.writeString(folder.resolve("tls.key"), Authority.pem(second.key()));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(used).endsWith(second.certificate()));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(certificates.details()).isEmpty());
    }

    @Test
    void filesWhenMissingOrExpiredAreReportedWithTheFolder() throws Exception {
        assertThatThrownBy(this::start)
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("cannot read");
        Authority expired = authority(Duration.ofMinutes(-1));
        write(folder, Authority.pem(List.of(expired.certificate())), Authority.pem(expired.key()));
        assertThatThrownBy(this::start)
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining("tls.crt expired at");
    }

    @Test
    void keyWhenRsaIsAccepted() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();

        assertThat(Authority.privateKey(Authority.pem(pair.getPrivate()))).isEqualTo(pair.getPrivate());
    }

    private final class Server implements CertificateSource.Server {
        @Override
        public List<String> hosts() {
            return List.of("localhost");
        }

        @Override
        public WebhookServerOptions options() {
            return WebhookServerOptions.defaults();
        }

        @Override
        public Client client() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Webhooks webhooks() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void use(ServerCertificate certificate) {
            used.add(certificate.certificate());
        }
    }
}
