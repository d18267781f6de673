package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
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
                Arguments.of(Problem.CONNECTION_RESET, new SSLException((String) null)),
                Arguments.of(Problem.MALFORMED_RESPONSE, new IOException(malformed())),
                Arguments.of(Problem.REFUSED, new NoRouteToHostException("no route")),
                Arguments.of(Problem.TIMEOUT, new SocketTimeoutException("too late")),
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

    private static TransportException malformed() {
        return new TransportException(Problem.MALFORMED_RESPONSE, "Bad chunk header", null);
    }

    private static String message(IOException failure) {
        return ConnectionErrors.of("get x", "https://server/", failure).getMessage();
    }

    @Test
    void messageSaysWhatToCheck() {
        String start = "get x: no response from https://server/: ";
        assertThat(message(new ConnectException("Connection refused")))
                .isEqualTo(start + "the connection was refused; is the API server running, and are the address and the"
                        + " proxy settings correct? (R4J-020)");
        assertThat(message(new TransportException.OfProxy(Problem.REFUSED, "the proxy http://a:1 answered 403", null)))
                .isEqualTo(start + "the proxy http://a:1 answered 403");
        assertThat(message(new UnknownHostException("x"))).startsWith(start + "the host name has no address;");
        assertThat(message(new SSLException("Unsupported or unrecognized SSL message")))
                .startsWith(
                        start + "the TLS connection failed (Unsupported or unrecognized SSL message); check the CA");
        assertThat(message(new TransportException(Problem.CONNECT_TIMEOUT, "late", null)))
                .startsWith(start + "the connection was not established in time;");
        assertThat(message(new SocketTimeoutException("late")))
                .isEqualTo(start + "the response did not arrive in time");
        assertThat(message(new IOException((String) null)))
                .isEqualTo(start + "the connection ended before the response did (IOException)");
        assertThat(message((IOException) caused(new SSLHandshakeException("terminated"), new EOFException("end"))))
                .isEqualTo(start + "the connection ended before the response did (end); if it happens again, check that"
                        + " the address is that of a TLS server");
        assertThat(message(new IOException("outer", malformed())))
                .isEqualTo(start + "the response is not one of an API server (Bad chunk header); check the address and"
                        + " any proxy (R4J-024)");
        assertThat(message(new TransportException(Problem.CLOSED, "closed", null)))
                .isEqualTo(start + "the connection has been closed by this program");
    }

    @Test
    void errorsWithoutAFailureOfTheConnectionNameTheServer() {
        assertThat(ConnectionErrors.timeout("get x", "https://server/", Duration.ofSeconds(2)))
                .hasMessage("get x: no response from https://server/ within 2000 ms")
                .extracting(ConnectionException::problem)
                .isEqualTo(Problem.TIMEOUT);
        assertThat(ConnectionErrors.closed("get x", "https://server/"))
                .hasMessage("get x: the connection to https://server/ has been closed by this program")
                .extracting(ConnectionException::problem)
                .isEqualTo(Problem.CLOSED);
        assertThat(ConnectionErrors.plainToTls("get x", "http://server/"))
                .hasMessageContaining("http://server/ expects TLS")
                .extracting(ConnectionException::problem)
                .isEqualTo(Problem.TLS);
        assertThat(ConnectionErrors.unusable("https://server/", new IOException("outer", new IOException("root"))))
                .hasMessageStartingWith("The configuration for https://server/ cannot be used (root);")
                .extracting(ConnectionException::problem)
                .isEqualTo(Problem.TLS);
    }

    @ParameterizedTest
    @CsvSource({"400, 0, true", "401, 0, false", "400, 151, true", "400, 152, false", "400, -1, false"})
    void responseOfATlsServerToPlainTextIsRecognized(int code, int more, boolean expected) {
        String text = "Client sent an HTTP request to an HTTPS server.\n" + "x".repeat(Math.max(0, more));
        byte[] body = (more < 0 ? text.substring(1) : text).getBytes(StandardCharsets.ISO_8859_1);
        assertThat(ConnectionErrors.expectsTls(code, body)).isEqualTo(expected);
    }
}
