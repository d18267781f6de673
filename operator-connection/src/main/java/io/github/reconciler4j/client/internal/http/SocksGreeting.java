package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.IDN;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks a proxy of SOCKS 5 (RFC 1928, RFC 1929) to connect to a server, whose name the proxy looks up. The library does this only
 * for sockets without a channel, which cannot be interrupted. Immutable.
 */
final class SocksGreeting {

    private static final int VERSION = 5;
    private static final int NO_LOGIN = 0;
    private static final int PASSWORD = 2;
    private static final int MAX_TEXT = 255;

    private final ProxySettings proxy;
    private final byte[] request;

    /**
     * Create it.
     *
     * @throws IllegalArgumentException if the server, the user or the password is too long for the protocol
     */
    SocksGreeting(ProxySettings proxy, String host, int port) {
        this.proxy = proxy;
        this.request = request(host, port);
        login();
    }

    private static byte[] request(String host, int port) {
        byte[] address = HostAddresses.isAddress(host) ? HostAddresses.literal(host) : null;
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(new byte[] {VERSION, 1, 0});
        if (address == null) {
            byte[] name = IDN.toASCII(host).getBytes(StandardCharsets.US_ASCII);
            request.write(3);
            writeText(request, name);
        } else {
            request.write(address.length == 4 ? 1 : 4);
            request.writeBytes(address);
        }
        request.write(port >> 8);
        request.write(port);
        return request.toByteArray();
    }

    private static void writeText(ByteArrayOutputStream to, byte[] text) {
        if (text.length == 0 || text.length > MAX_TEXT) {
            throw new IllegalArgumentException(
                    "The name of the server, the user or the password is empty or too long for a SOCKS proxy");
        }
        to.write(text.length);
        to.writeBytes(text);
    }

    private byte @Nullable [] login() {
        if (proxy.user() == null) {
            return null;
        }
        ByteArrayOutputStream login = new ByteArrayOutputStream();
        login.write(1);
        writeText(login, proxy.user().getBytes(StandardCharsets.UTF_8));
        writeText(login, Objects.requireNonNullElse(proxy.password(), "").getBytes(StandardCharsets.UTF_8));
        return login.toByteArray();
    }

    /** Ask over an open connection, on which the server can be talked to then. */
    void connect(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        byte[] login = login();
        out.write(login == null ? new byte[] {VERSION, 1, NO_LOGIN} : new byte[] {VERSION, 2, NO_LOGIN, PASSWORD});
        byte[] method = read(in, 2);
        if (method[0] != VERSION) {
            throw new TransportException(Problem.MALFORMED_RESPONSE, "The proxy does not speak SOCKS 5", null);
        }
        if (method[1] == PASSWORD && login != null) {
            out.write(login);
            if (read(in, 2)[1] != 0) {
                throw refused("refused the user or the password in its address");
            }
        } else if (method[1] != NO_LOGIN) {
            throw refused(login == null ? "asks for a user and a password" : "accepts no user and password");
        }
        out.write(request);
        byte[] answer = read(in, 4);
        if (answer[1] != 0) {
            throw refused("does not connect to the API server (" + reason(answer[1]) + ")");
        }
        read(in, addressLength(in, answer[3]) + 2);
    }

    private static int addressLength(InputStream in, byte type) throws IOException {
        return switch (type) {
            case 1 -> 4;
            case 3 -> Byte.toUnsignedInt(read(in, 1)[0]);
            case 4 -> 16;
            default ->
                throw new TransportException(
                        Problem.MALFORMED_RESPONSE, "The proxy answered with an unknown address", null);
        };
    }

    private static String reason(byte code) {
        return switch (code) {
            case 1 -> "general failure";
            case 2 -> "not allowed";
            case 3 -> "network unreachable";
            case 4 -> "host unreachable";
            case 5 -> "connection refused";
            case 6 -> "too late";
            default -> "code " + Byte.toUnsignedInt(code);
        };
    }

    private TransportException refused(String problem) {
        return new TransportException.OfProxy(Problem.REFUSED, "the proxy " + proxy + " " + problem, null);
    }

    private static byte[] read(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("The proxy ended the connection");
        }
        return bytes;
    }

    @Override
    public String toString() {
        return "SocksGreeting[" + proxy + "]";
    }
}
