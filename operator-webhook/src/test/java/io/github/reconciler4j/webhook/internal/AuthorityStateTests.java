package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.webhook.internal.AuthorityState.Rules;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuthorityStateTests {

    private static final Rules RULES = new Rules("ca", Duration.ofDays(90), Duration.ofDays(7), Duration.ofMinutes(1));
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final AuthorityState first;

    AuthorityStateTests() throws GeneralSecurityException {
        first = AuthorityState.create(RULES, START);
    }

    private static Instant day(int days) {
        return START.plus(Duration.ofDays(days));
    }

    private static List<X509Certificate> bundle(AuthorityState state) throws GeneralSecurityException {
        return Authority.certificates(state.bundle());
    }

    @Test
    void authorityWhenTwoThirdsOfItsLifeHavePassedGetsASuccessorThatDoesNotIssueYet() throws Exception {
        assertThat(first.step(RULES, day(59), true)).isSameAs(first);

        AuthorityState rolling = first.step(RULES, day(60), true);

        assertThat(rolling.current()).isEqualTo(first.current());
        assertThat(bundle(rolling)).hasSize(2).startsWith(first.current().certificate());
    }

    @Test
    void successorWhenPublishedForAWhileIssuesAndTheOldAuthorityStaysTrusted() throws Exception {
        AuthorityState rolling = first.step(RULES, day(60), true);
        Instant soon = day(60).plusSeconds(59);
        Instant later = day(60).plusSeconds(60);

        assertThat(rolling.step(RULES, soon, true)).isSameAs(rolling);
        assertThat(rolling.step(RULES, later, false)).isSameAs(rolling);
        AuthorityState rolled = rolling.step(RULES, later, true);

        assertThat(rolled.current().certificate()).isEqualTo(bundle(rolling).get(1));
        assertThat(bundle(rolled)).containsExactlyInAnyOrderElementsOf(bundle(rolling));
        assertThat(rolled.step(RULES, day(66), true)).isSameAs(rolled);
        assertThat(bundle(rolled.step(RULES, day(68), true)))
                .containsExactly(rolled.current().certificate());
    }

    @Test
    void authorityWhenExpiredIsReplacedAtOnce() throws Exception {
        assertThat(first.step(RULES, day(91), false).current()).isNotEqualTo(first.current());

        AuthorityState rolling = first.step(RULES, day(60), true);
        assertThat(rolling.step(RULES, day(91), false).current().certificate())
                .isEqualTo(bundle(rolling).get(1));
    }

    @Test
    void stateWhenWrittenIsReadAsTheSame() throws Exception {
        AuthorityState rolling = first.step(RULES, day(60), true);
        AuthorityState rolled = rolling.step(RULES, day(61), true);

        AuthorityState adopted =
                first.adopt(RULES, day(1), List.of(rolled.current().certificate()));
        for (AuthorityState state : List.of(first, rolling, rolled, adopted, adopted.settle())) {
            AuthorityState read = AuthorityState.read(state.data());
            assertThat(read.data()).isEqualTo(state.data());
            assertThat(read.isFresh(RULES, day(1))).isEqualTo(state.isFresh(RULES, day(1)));
        }
    }

    @Test
    void authorityWhenOthersArePublishedIsFreshUntilAReplicaHasSeenThatItIsKnown() throws Exception {
        AuthorityState adopted = first.adopt(
                RULES,
                day(1),
                List.of(AuthorityState.create(RULES, START).current().certificate()));

        assertThat(adopted.isFresh(RULES, day(1).plusSeconds(599))).isTrue();
        assertThat(adopted.isFresh(RULES, day(1).plusSeconds(600))).isFalse();
        assertThat(adopted.settle().isFresh(RULES, day(1))).isFalse();
        assertThat(first.isFresh(RULES, START)).isFalse();
    }

    @Test
    void stateWhenDamagedIsRefused() throws Exception {
        Map<String, String> data = new HashMap<>(first.data());
        data.put("tls.key", AuthorityState.create(RULES, START).data().get("tls.key"));
        assertThatThrownBy(() -> AuthorityState.read(data))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessage("tls.key does not belong to tls.crt");
        assertThatThrownBy(() -> AuthorityState.read(Map.of())).isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void certificateWhenIssuedNeverOutlivesItsAuthority() throws Exception {
        X509Certificate certificate = first.current()
                .issue(List.of("a.b.svc", "127.0.0.1"), day(88), Duration.ofDays(7))
                .certificate();

        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(day(90));
        assertThat(certificate.getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(List.of(2, "a.b.svc"), List.of(7, "127.0.0.1"));
        certificate.verify(first.current().certificate().getPublicKey());
    }
}
