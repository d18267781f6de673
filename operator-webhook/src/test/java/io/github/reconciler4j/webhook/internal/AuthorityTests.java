package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTests {

    private static final Instant NOW = Instant.parse("2030-01-31T08:00:00Z");
    private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
    private static final String AUTHORITY_KEY = "2.5.29.35";
    private static final String SUBJECT_KEY = "2.5.29.14";
    private static final int DNS = 2;
    private static final int ADDRESS = 7;

    private final Authority authority;

    AuthorityTests() throws GeneralSecurityException {
        authority = Authority.create("widget-operator", NOW, Duration.ofDays(30));
    }

    private X509Certificate issue(String... hosts) throws GeneralSecurityException {
        return issue(Duration.ofDays(1), hosts);
    }

    private X509Certificate issue(Duration life, String... hosts) throws GeneralSecurityException {
        return authority.issue(List.of(hosts), NOW, life).certificate();
    }

    @Test
    void authoritySignsCertificatesOfServersAndNoOtherAuthorities() {
        X509Certificate certificate = authority.certificate();
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=widget-operator");
        assertThat(certificate.getIssuerX500Principal()).isEqualTo(certificate.getSubjectX500Principal());
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getBasicConstraints()).isZero();
        assertThat(certificate.getKeyUsage()).containsExactly(only(5));
        assertThat(certificate.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.15", "2.5.29.19");
        assertThat(certificate.getNonCriticalExtensionOIDs()).containsExactly(SUBJECT_KEY);
        assertThat(certificate.getSigAlgName()).isEqualTo("SHA256withECDSA");
        assertThat(certificate.getPublicKey())
                .isInstanceOfSatisfying(
                        ECPublicKey.class,
                        key -> assertThat(key.getParams().getCurve().getField().getFieldSize())
                                .isEqualTo(256));
        assertThat(certificate.getNotBefore().toInstant()).isEqualTo(NOW.minus(Duration.ofMinutes(5)));
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(30)));
    }

    private static boolean[] only(int bit) {
        boolean[] usage = new boolean[9];
        usage[bit] = true;
        return usage;
    }

    @Test
    void certificateOfAServerIsForNothingElse() throws GeneralSecurityException {
        X509Certificate certificate = issue("widgets.system.svc");
        assertThat(certificate.getIssuerX500Principal())
                .isEqualTo(authority.certificate().getSubjectX500Principal());
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
        assertThat(certificate.getKeyUsage()).containsExactly(only(0));
        assertThat(certificate.getExtendedKeyUsage()).containsExactly(SERVER_AUTHENTICATION);
        assertThat(certificate.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.15", "2.5.29.19");
        assertThat(certificate.getNonCriticalExtensionOIDs())
                .containsExactlyInAnyOrder("2.5.29.17", "2.5.29.37", AUTHORITY_KEY);
        byte[] subject = authority.certificate().getExtensionValue(SUBJECT_KEY);
        byte[] issuer = certificate.getExtensionValue(AUTHORITY_KEY);
        assertThat(new String(issuer, ISO_8859_1))
                .as("key identifier, which has 20 bytes")
                .endsWith(new String(subject, subject.length - 20, 20, ISO_8859_1));
    }

    @Test
    void certificateWhenItWouldOutliveTheAuthorityEndsWithIt() throws GeneralSecurityException {
        assertThat(issue(Duration.ofDays(31), "a").getNotAfter())
                .isEqualTo(authority.certificate().getNotAfter());
        assertThat(issue(Duration.ofDays(29), "a").getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(29)));
    }

    /** Years from 2050 on have another form in a certificate. */
    @ParameterizedTest
    @ValueSource(
            strings = {"1999-12-31T23:59:59Z", "2049-12-31T23:59:59Z", "2050-01-01T00:06:00Z", "2051-06-01T00:00:00Z"})
    void timesAreExactToTheSecond(String time) throws GeneralSecurityException {
        Instant now = Instant.parse(time);
        X509Certificate certificate =
                Authority.create("a", now.plusMillis(999), Duration.ofDays(1)).certificate();
        assertThat(certificate.getNotBefore().toInstant()).isEqualTo(now.minus(Duration.ofMinutes(5)));
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(now.plus(Duration.ofDays(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"widgets", "widgets.system.svc.cluster.local", "a-1.B.example", "1a.example", "localhost"})
    void nameWhenOfDnsIsOne(String host) throws GeneralSecurityException {
        assertThat(issue(host).getSubjectAlternativeNames()).containsExactly(List.of(DNS, host));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "10.255.0.200", "::1", "fd00::10:0:1", "2001:db8:1:2:3:4:5:6"})
    void nameWhenAnAddressIsOne(String host) throws GeneralSecurityException, UnknownHostException {
        assertThat(issue(host).getSubjectAlternativeNames()).singleElement().satisfies(name -> {
            assertThat(name.get(0)).isEqualTo(ADDRESS);
            assertThat(InetAddress.getByName((String) name.get(1))).isEqualTo(InetAddress.getByName(host));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2.3.256", "1.2.3.4.5", "::g", "1::2::3"})
    void nameWhenNoAddressIsRefused(String host) {
        assertThatThrownBy(() -> issue(host)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void certificatesAreValidForTheirOwnAuthorityOnly() throws GeneralSecurityException {
        Authority other = Authority.create("widget-operator", NOW, Duration.ofDays(30));
        Set<Object> numbers = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            X509Certificate certificate = issue("a", "127.0.0.1");
            assertThat(certificate.getSerialNumber().signum()).isPositive();
            assertThat(numbers.add(certificate.getSerialNumber())).isTrue();
            validate(certificate, authority.certificate());
            assertThatThrownBy(() -> validate(certificate, other.certificate()))
                    .isInstanceOf(GeneralSecurityException.class);
        }
        authority.certificate().verify(authority.certificate().getPublicKey());
        PublicKey foreign = other.certificate().getPublicKey();
        assertThatThrownBy(() -> authority.certificate().verify(foreign)).isInstanceOf(GeneralSecurityException.class);
    }

    private static void validate(X509Certificate certificate, X509Certificate trusted) throws GeneralSecurityException {
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(trusted, null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(NOW));
        CertPathValidator.getInstance("PKIX")
                .validate(CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)), parameters);
    }
}
