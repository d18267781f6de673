package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said of a proxy that cannot be used, and that its password is not said. */
class ProxyHopTests {

    private static ProxyHop hop(String url) {
        Config config = new ConfigBuilder(Config.empty()).withHttpsProxy(url).build();
        return new ProxyHop(
                Objects.requireNonNull(ProxySettings.of(config, ServerAddress.of("https://server"), null)), null, null);
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new ConnectException("no"), false, Problem.REFUSED, "refuses connections"),
                Arguments.of(new UnknownHostException("x"), false, Problem.UNKNOWN_HOST, "check its address and DNS"),
                Arguments.of(
                        new SSLHandshakeException("PKIX"),
                        false,
                        Problem.TLS,
                        "the TLS connection to it failed (PKIX): check that it speaks TLS"),
                Arguments.of(
                        new SocketTimeoutException("late"), false, Problem.CONNECT_TIMEOUT, "did not answer in time"),
                Arguments.of(new IOException("late"), true, Problem.CONNECT_TIMEOUT, "did not answer in time"),
                Arguments.of(
                        new TransportException(Problem.MALFORMED_RESPONSE, "not HTTP", null),
                        false,
                        Problem.MALFORMED_RESPONSE,
                        "does not answer as a proxy does (not HTTP): check its address and scheme"),
                Arguments.of(
                        new SocketException("reset"), false, Problem.CONNECTION_RESET, "ended the connection: check"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureNamesTheProxyAndWhatToCheck(IOException failure, boolean isTooLate, Problem problem, String text) {
        TransportException named =
                hop("http://user:hunter2@proxy.example.com:3128").failure(failure, isTooLate);

        assertThat(named)
                .isInstanceOf(TransportException.OfProxy.class)
                .hasMessageStartingWith("the proxy http://proxy.example.com:3128 ")
                .hasMessageContaining(text)
                .hasMessageNotContaining("hunter2")
                .hasCause(failure);
        assertThat(named.problem()).isEqualTo(problem);
        assertThat(hop("http://other:1").failure(named, true))
                .as("it is named once")
                .isSameAs(named);
    }

    @ParameterizedTest
    @CsvSource({"407, asks for a user and a password", "403, does not connect to the API server"})
    void refusalSaysTheCodeAndWhatToCheck(int code, String text) {
        TransportException refusal =
                hop("http://user:hunter2@proxy.example.com:3128").refusal(code);

        assertThat(refusal)
                .hasMessageStartingWith("the proxy http://proxy.example.com:3128 answered " + code + " to CONNECT")
                .hasMessageContaining(text)
                .hasMessageNotContaining("hunter2");
        assertThat(refusal.problem()).isEqualTo(Problem.REFUSED);
    }

    @Test
    void addressHasTheSchemeOfTheProxy() {
        assertThat(hop("http://proxy:3128").address()).hasToString("http://proxy:3128");
        assertThat(hop("https://proxy:3129").address()).hasToString("https://proxy:3129");
    }

    @Test
    void hopIsHttpUnlessItGreets() {
        ProxyHop http = hop("http://proxy:3128");
        assertThat(http.isHttp()).isTrue();
        assertThat(new ProxyHop(http.settings(), null, mock(SocksGreeting.class)).isHttp())
                .isFalse();
    }
}
