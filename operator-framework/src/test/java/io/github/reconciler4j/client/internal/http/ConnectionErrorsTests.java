package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.internal.http.HttpApiConnection.ConnectionErrors;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLProtocolException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectionErrorsTests {

    private static Throwable caused(Throwable failure, Throwable cause) {
        failure.initCause(cause);
        return failure;
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(Problem.CONNECTION_RESET, new SSLException("Broken pipe", new IOException("Broken pipe"))),
                Arguments.of(Problem.CONNECTION_RESET, new SSLException("reset", new SocketException("reset"))),
                Arguments.of(
                        Problem.CONNECTION_RESET,
                        caused(new SSLHandshakeException("Remote host terminated the handshake"), new EOFException())),
                Arguments.of(
                        Problem.CONNECTION_RESET,
                        caused(new SSLProtocolException("Connection reset"), new SocketException("Connection reset"))),
                Arguments.of(Problem.CONNECTION_RESET, new IOException("Connection reset by peer")),
                Arguments.of(Problem.TLS, new SSLException("Unsupported or unrecognized SSL message")),
                Arguments.of(Problem.TLS, new SSLHandshakeException("Received fatal alert: bad_certificate")),
                Arguments.of(Problem.TLS, new SSLException("Received fatal alert: certificate_required")),
                Arguments.of(
                        Problem.TLS,
                        caused(new SSLHandshakeException("PKIX path"), new CertificateException("No name matching"))),
                Arguments.of(Problem.UNKNOWN_HOST, new UnknownHostException("x")),
                Arguments.of(Problem.REFUSED, new ConnectException("Connection refused")));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void problemIsThatOfTheCause(Problem problem, IOException failure) {
        ConnectionException error = ConnectionErrors.of("get x", "https://server/", failure);
        assertThat(error.problem()).isEqualTo(problem);
        if (problem == Problem.CONNECTION_RESET) {
            assertThat(error).hasMessageNotContaining("certificate");
        }
    }
}
