package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.fixtures.TestCertificates;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509KeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsStoresTests {

    private static final char[] PASSWORD = "of the store".toCharArray();

    private final X509Bundle ours = TestCertificates.create("127.0.0.1").client("ours");
    private final X509Bundle theirs = TestCertificates.create("127.0.0.1").client("theirs");

    @TempDir
    Path folder;

    /** Writes what a store contains in one of the usual forms. */
    private interface Content {
        void addTo(KeyStore store) throws GeneralSecurityException;
    }

    private String store(String type, Content content) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        content.addTo(store);
        Path file = folder.resolve(type + ".store");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD);
        }
        return file.toString();
    }

    private static ConfigBuilder config() {
        return new ConfigBuilder(Config.empty());
    }

    private static X509ExtendedTrustManager trust(Config config, boolean thoseOfTheJvm, X509Certificate... authorities)
            throws GeneralSecurityException, IOException {
        return (X509ExtendedTrustManager)
                new TlsMaterial.Stores(config).trustManagers(List.of(authorities), thoseOfTheJvm)[0];
    }

    private static void check(X509ExtendedTrustManager manager, X509Bundle peer) throws CertificateException {
        manager.checkServerTrusted(peer.getCertificatePath(), "ECDHE_ECDSA");
    }

    @Test
    void authoritiesWhenGivenAreTheOnlyOnes() throws GeneralSecurityException, IOException {
        X509Certificate[] path = ours.getCertificatePath();
        X509ExtendedTrustManager manager = trust(config().build(), false, path[path.length - 1]);
        assertThat(manager.getAcceptedIssuers()).containsExactly(path[path.length - 1]);
        assertThatThrownBy(() -> check(manager, theirs)).isInstanceOf(CertificateException.class);
    }

    @Test
    void authoritiesWhenThereIsATrustStoreAreThoseOfItToo() throws GeneralSecurityException, IOException {
        for (String type : List.of("JKS", "PKCS12")) {
            String file = store(type, store -> store.setCertificateEntry("one", theirs.getCertificate()));
            Config config = config().withTrustStoreFile(file)
                    .withTrustStorePassphrase(new String(PASSWORD))
                    .build();
            assertThat(trust(config, false).getAcceptedIssuers()).containsExactly(theirs.getCertificate());
            assertThat(trust(config, false, ours.getCertificate()).getAcceptedIssuers())
                    .containsExactlyInAnyOrder(ours.getCertificate(), theirs.getCertificate());
        }
    }

    @Test
    void authoritiesWhenThereAreNoOthersOrTheyAreAskedForAreThoseOfTheJvm()
            throws GeneralSecurityException, IOException {
        X509Certificate[] ofTheJvm = trust(config().build(), false).getAcceptedIssuers();
        assertThat(ofTheJvm).hasSizeGreaterThan(10);
        assertThat(trust(config().build(), true, ours.getCertificate()).getAcceptedIssuers())
                .contains(ofTheJvm)
                .contains(ours.getCertificate());
    }

    @Test
    void serversWhenTheConfigurationTrustsThemAreAllTrusted() throws GeneralSecurityException, IOException {
        X509ExtendedTrustManager manager = trust(config().withTrustCerts(true).build(), false, ours.getCertificate());
        check(manager, theirs);
        assertThat(manager.getAcceptedIssuers()).isEmpty();
    }

    private static X509KeyManager keys(Config config, X509Bundle own) throws GeneralSecurityException, IOException {
        return (X509KeyManager) new TlsMaterial.Stores(config)
                .keyManagers(own.getKeyPair().getPrivate(), List.of(own.getCertificate()))[0];
    }

    private static X509Certificate shown(X509KeyManager keys, Principal... issuers) {
        return keys.getCertificateChain(keys.chooseClientAlias(new String[] {"EC"}, issuers, null))[0];
    }

    @Test
    void certificateWhenGivenIsTheOneThatIsShown() throws GeneralSecurityException, IOException {
        X509KeyManager keys = keys(config().build(), ours);
        assertThat(keys.getClientAliases("EC", null)).hasSize(1);
        assertThat(shown(keys)).isEqualTo(ours.getCertificate());
        assertThat(keys.getPrivateKey(keys.getClientAliases("EC", null)[0]))
                .isEqualTo(ours.getKeyPair().getPrivate());
    }

    @Test
    void certificatesWhenThereIsAKeyStoreAreThoseOfItToo() throws GeneralSecurityException, IOException {
        for (String type : List.of("JKS", "PKCS12")) {
            String file = store(
                    type,
                    store ->
                            store.setKeyEntry("one", theirs.getKeyPair().getPrivate(), PASSWORD, new X509Certificate[] {
                                theirs.getCertificate()
                            }));
            Config config = config().withKeyStoreFile(file)
                    .withKeyStorePassphrase(new String(PASSWORD))
                    .withClientKeyPassphrase(new String(PASSWORD))
                    .build();
            X509KeyManager keys = keys(config, ours);
            assertThat(keys.getClientAliases("EC", null)).hasSize(2);
        }
    }

    @Test
    void storeWhenItsPasswordIsWrongFails() throws GeneralSecurityException, IOException {
        String file = store("PKCS12", store -> store.setCertificateEntry("one", theirs.getCertificate()));
        Config config = config().withTrustStoreFile(file)
                .withTrustStorePassphrase("another")
                .build();
        assertThatThrownBy(() -> trust(config, false)).isInstanceOf(IOException.class);
    }
}
