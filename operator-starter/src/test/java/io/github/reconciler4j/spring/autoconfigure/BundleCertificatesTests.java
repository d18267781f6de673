package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.webhook.CertificateSource;
import io.github.reconciler4j.webhook.ServerCertificate;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

class BundleCertificatesTests {

    private final List<X509Certificate> used = new ArrayList<>();
    private final CertificateSource.Server server = mock(CertificateSource.Server.class);
    private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

    @BeforeEach
    void record() {
        doAnswer(call -> used.add(call.<ServerCertificate>getArgument(0).certificate()))
                .when(server)
                .use(any());
    }

    private static X509Bundle certificate() throws Exception {
        return new CertificateBuilder()
                .subject("CN=webhook")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    private static SslBundle bundle(X509Bundle certificate) throws Exception {
        return SslBundle.of(SslStoreBundle.of(certificate.toKeyStore(new char[0]), "", null));
    }

    @Test
    void certificateWhenTheBundleIsUpdatedFollows() throws Exception {
        X509Bundle first = certificate();
        X509Bundle second = certificate();
        bundles.registerBundle("web", bundle(first));
        BundleCertificates certificates = new BundleCertificates(bundles, "web");

        bundles.updateBundle("web", bundle(first));
        assertThat(used).isEmpty();
        certificates.start(server);
        bundles.updateBundle("web", bundle(second));
        bundles.updateBundle("web", SslBundle.of(SslStoreBundle.NONE));

        assertThat(used).containsExactly(first.getCertificate(), second.getCertificate());
        assertThat(certificates.details().toString()).contains("it has no key store");
    }

    @Test
    void bundleWhenUnusableIsNamed() {
        bundles.registerBundle("web", SslBundle.of(SslStoreBundle.NONE));

        assertThatThrownBy(() -> new BundleCertificates(bundles, "web").start(server))
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining("The SSL bundle 'web' cannot be used for webhooks: it has no key store");
    }
}
