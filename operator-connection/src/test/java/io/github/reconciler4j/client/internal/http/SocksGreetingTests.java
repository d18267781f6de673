package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said to a SOCKS proxy byte for byte, and what is said of its answers. */
class SocksGreetingTests {

    private static final String LABEL = "a".repeat(63);
    private static final String ACCEPTED = "05 00  05 00 00 01 01 02 03 04 01 bb";

    /** A connection to a server that has written its answers before. */
    private static final class Scripted extends Socket {

        private final InputStream in;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Scripted(String answers) {
            in = new ByteArrayInputStream(bytes(answers));
        }

        @Override
        public InputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return out;
        }
    }

    private static byte[] bytes(String hex) {
        String[] texts = hex.trim().split(" +");
        byte[] bytes = new byte[texts.length];
        for (int i = 0; i < texts.length; i++) {
            bytes[i] = (byte) Integer.parseInt(texts[i], 16);
        }
        return bytes;
    }

    private static String hex(String text) {
        StringBuilder hex = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hex.append(String.format("%02x ", b));
        }
        return hex.toString();
    }

    private static SocksGreeting greeting(String user, String password, String host) {
        return new SocksGreeting(
                new ProxySettings(ProxySettings.Scheme.SOCKS5, "proxy", 1080, user, password, ""), host, 40_000);
    }

    private static TransportException failure(String user, String answers) {
        return catchThrowableOfType(
                TransportException.class,
                () -> greeting(user, "hunter2", "server").connect(new Scripted(answers)));
    }

    @ParameterizedTest
    @CsvSource({
        "server, 03 06 73 65 72 76 65 72",
        "b\u00fccher.test, 03 12 78 6e 2d 2d 62 63 68 65 72 2d 6b 76 61 2e 74 65 73 74",
        "10.9.8.7, 01 0a 09 08 07",
        "::1, 04 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01",
    })
    void serverIsNamedAsItIsGiven(String host, String named) throws IOException {
        Scripted socket = new Scripted(ACCEPTED);

        greeting(null, null, host).connect(socket);

        assertThat(socket.out.toByteArray()).isEqualTo(bytes("05 01 00  05 01 00 " + named + " 9c 40"));
    }

    /** What follows the answer belongs to the server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "01 0a 09 08 07",
                "03 02 61 62",
                "03 00",
                "04 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01",
            })
    void answerIsReadToItsEndAndNoFurther(String address) throws IOException {
        Scripted socket = new Scripted("05 00  05 00 00 " + address + " 01 bb  78");

        greeting(null, null, "server").connect(socket);

        assertThat(socket.in.readAllBytes()).isEqualTo(bytes("78"));
    }

    @Test
    void answerWhenItsAddressIsALongNameIsReadToItsEnd() throws IOException {
        Scripted socket = new Scripted("05 00  05 00 00 03 ff " + "61 ".repeat(255) + "01 bb  78");

        greeting(null, null, "server").connect(socket);

        assertThat(socket.in.readAllBytes()).isEqualTo(bytes("78"));
    }

    @Test
    void loginWhenTheProxyAsksForItIsSent() throws IOException {
        Scripted socket = new Scripted("05 02  01 00 " + ACCEPTED.substring("05 00".length()));

        greeting("me", "\u00fc", "server").connect(socket);

        assertThat(socket.out.toByteArray())
                .isEqualTo(bytes("05 02 00 02  01 02 6d 65 02 c3 bc  05 01 00 03 06 " + hex("server") + "9c 40"));
    }

    @Test
    void loginWhenTheProxyDoesNotAskForItIsNotSent() throws IOException {
        Scripted socket = new Scripted(ACCEPTED);

        greeting("me", "hunter2", "server").connect(socket);

        assertThat(socket.out.toByteArray()).isEqualTo(bytes("05 02 00 02  05 01 00 03 06 " + hex("server") + "9c 40"));
    }

    @ParameterizedTest
    @CsvSource({
        "me, 05 02  01 01, refused the user or the password in its address",
        "me, 05 ff, accepts no user and password",
        ", 05 ff, asks for a user and a password",
        ", 05 02, asks for a user and a password",
        ", 05 00  05 01 00 01, does not connect to the API server (general failure)",
        ", 05 00  05 02 00 01, does not connect to the API server (not allowed)",
        ", 05 00  05 03 00 01, does not connect to the API server (network unreachable)",
        ", 05 00  05 04 00 01, does not connect to the API server (host unreachable)",
        ", 05 00  05 05 00 01, does not connect to the API server (connection refused)",
        ", 05 00  05 06 00 01, does not connect to the API server (too late)",
        ", 05 00  05 ff 00 01, does not connect to the API server (code 255)",
    })
    void refusalSaysWhatTheProxyRefuses(String user, String answers, String text) {
        TransportException refusal = failure(user, answers);

        assertThat(refusal)
                .isInstanceOf(TransportException.OfProxy.class)
                .hasMessage("the proxy socks5://proxy:1080 " + text);
        assertThat(refusal.problem()).isEqualTo(Problem.REFUSED);
    }

    @ParameterizedTest
    @CsvSource({
        "04 00, The proxy does not speak SOCKS 5",
        "05 00  05 00 00 02, The proxy answered with an unknown address",
    })
    void answerWhenItIsNotOneOfSocksFails(String answers, String text) {
        TransportException failure = failure(null, answers);

        assertThat(failure).hasMessage(text);
        assertThat(failure.problem()).isEqualTo(Problem.MALFORMED_RESPONSE);
    }

    @Test
    void answerWhenTheProxyEndsTheConnectionFails() {
        String[] whole = ACCEPTED.split(" +");
        for (int length = 1; length < whole.length; length++) {
            String part = String.join(" ", List.of(whole).subList(0, length));
            assertThatThrownBy(() -> greeting(null, null, "server").connect(new Scripted(part)))
                    .as(part)
                    .isInstanceOf(EOFException.class)
                    .hasMessage("The proxy ended the connection");
        }
    }

    @Test
    void textsWhenTooLongForTheProtocolAreRefusedAtOnce() {
        String longest = LABEL + "." + LABEL + "." + LABEL + "." + LABEL;
        String longer = LABEL + "." + LABEL + "." + LABEL + "." + LABEL.substring(1) + ".a";
        assertThat(longest).hasSize(255);
        assertThat(greeting("u".repeat(255), "p".repeat(255), longest))
                .hasToString("SocksGreeting[socks5://proxy:1080]");
        assertThatThrownBy(() -> greeting(null, null, longer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too long for a SOCKS proxy");
        assertThatThrownBy(() -> greeting("u".repeat(256), "p", "server")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> greeting("u", "p".repeat(256), "server")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> greeting("", "p", "server")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> greeting("u", null, "server")).isInstanceOf(IllegalArgumentException.class);
    }
}
