package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a token file is read again, and which token is in use when it cannot be read. */
class TokenFileRenewalTests {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final ManualTimeSource time = new ManualTimeSource();

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("token");
    }

    private TokenFile written(String token) throws IOException {
        Files.writeString(file(), token);
        return new TokenFile(file(), null, time);
    }

    @Test
    void fileIsReadEveryTenSeconds() throws IOException {
        TokenFile credentials = written(" one\n");
        Credential one = credentials.current();
        assertThat(one.token()).isEqualTo("one");
        Files.writeString(file(), "two");

        time.advance(INTERVAL.minusNanos(1));
        assertThat(credentials.current()).isSameAs(one);
        time.advance(Duration.ofNanos(1));
        assertThat(credentials.current().token()).isEqualTo("two");
        Files.writeString(file(), "three");
        assertThat(credentials.current().token()).isEqualTo("two");
    }

    @Test
    void credentialWhenTheTokenIsTheSameStays() throws IOException {
        TokenFile credentials = written("one");
        Credential one = credentials.current();
        time.advance(INTERVAL);
        assertThat(credentials.current()).isSameAs(one);
    }

    @Test
    void fileIsReadAtOnceAfterARejection() throws IOException {
        TokenFile credentials = written("one");
        Credential one = credentials.current();
        assertThat(credentials.renew(one)).as("the token that was rejected").isNull();
        Files.writeString(file(), "two");

        Credential two = credentials.renew(one);
        assertThat(two).isNotNull();
        assertThat(two.token()).isEqualTo("two");
        assertThat(credentials.current()).isSameAs(two);
    }

    @Test
    void tokenWhenTheFileIsMissingStaysAndTheLogSaysSoOnceAMinute() throws IOException {
        TokenFile credentials = written("one");
        credentials.current();
        Files.delete(file());
        try (CapturedLog log = CapturedLog.of(TokenFile.class.getName())) {
            for (int i = 0; i < 6; i++) {
                time.advance(INTERVAL);
                assertThat(credentials.current().token()).isEqualTo("one");
            }
            assertThat(log.lines(Level.DEBUG))
                    .singleElement()
                    .asString()
                    .contains("Could not read the token file " + file()
                            + ", so the previous token stays in use: it cannot be read");
        }
    }

    /** As while another process writes it. */
    @Test
    void tokenWhenTheFileIsEmptyStaysWithoutALine() throws IOException {
        TokenFile credentials = written("one");
        credentials.current();
        Files.writeString(file(), "\n");
        time.advance(INTERVAL);
        try (CapturedLog log = CapturedLog.of(TokenFile.class.getName())) {
            assertThat(credentials.current().token()).isEqualTo("one");
            assertThat(log.lines(Level.DEBUG)).isEmpty();
        }
    }

    @Test
    void fileWhenItWasNeverReadAndIsEmptyIsAnError() throws IOException {
        TokenFile credentials = written("");
        assertThatThrownBy(credentials::current)
                .isInstanceOf(CredentialsException.class)
                .hasMessage("the token file " + file() + " is empty (R4J-027)");
    }

    @Test
    void fallbackIsInUseUntilTheFileIsRead() throws IOException {
        TokenFile credentials = new TokenFile(file(), "inline", time);
        assertThat(credentials.current().token()).isEqualTo("inline");
        Files.writeString(file(), "one");
        assertThat(credentials.current().token()).isEqualTo("inline");
        time.advance(INTERVAL);
        assertThat(credentials.current().token()).isEqualTo("one");
    }

    @Test
    void fallbackWhenItIsEmptyIsNone() {
        TokenFile credentials = new TokenFile(file(), "", time);
        assertThatThrownBy(credentials::current).isInstanceOf(CredentialsException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"!", "~", "a!~"})
    void tokenIsAnyTextThatAHeaderCanHave(String token) throws IOException {
        assertThat(written(token).current().token()).isEqualTo(token);
    }

    @Test
    void tokenWithTheCharacterOfADeletionIsRefused() throws IOException {
        TokenFile credentials = written("to\u007fken");
        assertThatThrownBy(credentials::current)
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining("contains no token");
    }

    @Test
    void textNamesTheFileAndNoToken() throws IOException {
        TokenFile credentials = written("secret");
        credentials.current();
        assertThat(credentials).hasToString("TokenFile[" + file() + "]");
    }
}
