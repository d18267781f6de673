package io.github.reconciler4j.client;

import io.github.reconciler4j.fixtures.LoopbackListener;
import io.github.reconciler4j.fixtures.TestCertificates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLSocket;

/**
 * A proxy on loopback that speaks HTTP, HTTP in TLS or SOCKS 5, and passes on to one port of loopback, whatever name it is asked for.
 * It records what arrives.
 */
public final class RecordingProxy implements AutoCloseable {

    /** What the proxy speaks. */
    public enum Kind {
        HTTP,
        HTTPS,
        SOCKS5
    }

    private final Kind kind;
    private final TestCertificates certificates;
    private final int target;
    private final String login;
    private final LoopbackListener listener;
    private final List<Integer> firstBytes = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /**
     * Start to listen.
     *
     * @param certificates those of a proxy in TLS
     * @param target the port that it passes on to
     * @param login the user and the password that it asks for, divided by a colon; null for none
     */
    public RecordingProxy(Kind kind, TestCertificates certificates, int target, String login) throws IOException {
        this.kind = kind;
        this.certificates = certificates;
        this.target = target;
        this.login = login;
        this.listener = new LoopbackListener(
                "recording-proxy", client -> LoopbackListener.daemon("recording-proxy", () -> serve(client)));
    }

    public int port() {
        return listener.port();
    }

    /** The first byte of each connection; 22 is the start of a handshake of TLS. */
    public List<Integer> firstBytes() {
        return firstBytes;
    }

    /** The names and ports that it was asked for, and the logins before them, such as {@code user:password@host:443}. */
    public List<String> asked() {
        return asked;
    }

    /** Forgets what it has recorded, and closes its connections. */
    public void reset() {
        listener.closeConnections();
        firstBytes.clear();
        asked.clear();
    }

    private void serve(Socket client) {
        try (client) {
            int first = client.getInputStream().read();
            firstBytes.add(first);
            byte[] consumed = {(byte) first};
            if (kind == Kind.HTTPS) {
                SSLSocket encrypted = (SSLSocket) certificates
                        .context()
                        .getSocketFactory()
                        .createSocket(client, new ByteArrayInputStream(consumed), true);
                encrypted.setUseClientMode(false);
                http(encrypted, "");
            } else if (kind == Kind.HTTP) {
                http(client, new String(consumed, StandardCharsets.ISO_8859_1));
            } else {
                socks(client);
            }
        } catch (IOException | GeneralSecurityException e) {
            // One side has ended.
        }
    }

    private void http(Socket client, String start) throws IOException {
        StringBuilder head = new StringBuilder(start);
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = client.getInputStream().read();
            if (next < 0) {
                return;
            }
            head.append((char) next);
        }
        String given = "";
        for (String line : head.toString().split("\r\n")) {
            if (line.startsWith("Proxy-Authorization: Basic ")) {
                given = new String(Base64.getDecoder().decode(line.substring(27)), StandardCharsets.UTF_8) + "@";
            }
        }
        asked.add(given + head.toString().split(" ")[1]);
        boolean isAllowed = login == null || given.equals(login + "@");
        client.getOutputStream()
                .write((isAllowed ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        if (isAllowed) {
            pass(client);
        }
    }

    private void socks(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        OutputStream out = client.getOutputStream();
        byte[] methods = in.readNBytes(in.read());
        boolean offersLogin = new String(methods, StandardCharsets.ISO_8859_1).indexOf(2) >= 0;
        if (login != null && !offersLogin) {
            out.write(new byte[] {5, (byte) 0xff});
            return;
        }
        out.write(new byte[] {5, (byte) (login == null ? 0 : 2)});
        String given = "";
        if (login != null) {
            in.read();
            given = text(in) + ":" + text(in);
            boolean isRight = given.equals(login);
            out.write(new byte[] {1, (byte) (isRight ? 0 : 1)});
            given += "@";
            if (!isRight) {
                asked.add(given);
                return;
            }
        }
        byte[] request = in.readNBytes(4);
        String host = request[3] == 3
                ? text(in)
                : InetAddress.getByAddress(in.readNBytes(request[3] == 1 ? 4 : 16))
                        .getHostAddress();
        byte[] port = in.readNBytes(2);
        asked.add(given + host + ":" + (Byte.toUnsignedInt(port[0]) << 8 | Byte.toUnsignedInt(port[1])));
        out.write(new byte[] {5, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        pass(client);
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readNBytes(in.read()), StandardCharsets.UTF_8);
    }

    private void pass(Socket client) throws IOException {
        try (Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target)) {
            listener.add(upstream);
            LoopbackListener.daemon("recording-proxy", () -> copy(upstream, client));
            client.getInputStream().transferTo(upstream.getOutputStream());
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.close();
        } catch (IOException e) {
            // One side has ended.
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
