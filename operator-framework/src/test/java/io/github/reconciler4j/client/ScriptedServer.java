package io.github.reconciler4j.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.fixtures.LoopbackListener;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/**
 * An HTTP/1.1 server on loopback that says byte for byte what a test wants. One thread per connection; a connection
 * ends when the script throws or closes it.
 */
public final class ScriptedServer implements AutoCloseable {

    private final LoopbackListener listener;
    private final Script script;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final List<Received> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final List<String> peers = new CopyOnWriteArrayList<>();

    private ScriptedServer(ServerSocket socket, Script script) {
        this.script = script;
        listener = new LoopbackListener("scripted-server", socket, this::accept);
    }

    /** Starts a server that answers each request by the script. */
    public static ScriptedServer start(Script script) {
        try {
            return new ScriptedServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts a server that encrypts. */
    public static ScriptedServer startTls(
            TestCertificates certificates, boolean needsClientCertificate, Script script) {
        return new ScriptedServer(certificates.listen(needsClientCertificate), script);
    }

    /** Starts a server that accepts one group for keys of connections. Java 20 and newer. */
    public static ScriptedServer startTlsWithGroup(TestCertificates certificates, String group, Script script) {
        SSLServerSocket socket = (SSLServerSocket) certificates.listen(false);
        SSLParameters parameters = socket.getSSLParameters();
        try {
            SSLParameters.class.getMethod("setNamedGroups", String[].class).invoke(parameters, (Object)
                    new String[] {group});
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        socket.setSSLParameters(parameters);
        return new ScriptedServer(socket, script);
    }

    /** The port. */
    public int port() {
        return listener.port();
    }

    /** For scripts: says nothing more, until the server is closed. */
    public static void stall() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** For scripts: ends the connection with a reset, which can overtake what was sent before. */
    public static void reset() throws IOException {
        throw new Reset();
    }

    /** A whole answer with a JSON body. */
    public static byte[] json(int code, String body, String... headers) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder("HTTP/1.1 " + code + " X\r\nContent-Type: application/json\r\n");
        head.append("Content-Length: ").append(bytes.length).append("\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[start.length + bytes.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(bytes, 0, all, start.length, bytes.length);
        return all;
    }

    /** A whole answer with a Kubernetes status. */
    public static byte[] status(int code, String reason, String message, String details) {
        return json(
                code,
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"" + message
                        + "\",\"reason\":\"" + reason + "\",\"details\":" + details + ",\"code\":" + code + "}");
    }

    /** A configuration that points here and looks at nothing else. */
    public Config config() {
        return new ConfigBuilder(Config.empty()).withMasterUrl(address()).build();
    }

    /** The address, without a slash at the end. */
    public String address() {
        return "http://127.0.0.1:" + listener.port();
    }

    /** The requests so far. */
    public List<Received> requests() {
        return requests;
    }

    /** The names that clients asked for in encrypted connections, and the subjects of their certificates. */
    public List<String> peers() {
        return peers;
    }

    /** How many connections there were so far. */
    public int connections() {
        return connections.get();
    }

    private void accept(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        connections.incrementAndGet();
        threads.add(LoopbackListener.daemon("scripted-server-connection", () -> serve(socket)));
    }

    private void serve(Socket socket) {
        try (socket) {
            try {
                serveAll(socket);
            } catch (Reset e) {
                socket.setSoLinger(true, 0);
            }
        } catch (Exception e) {
            // The script, the client or the end of the test ended this connection.
        } finally {
            listener.remove(socket);
        }
    }

    private void serveAll(Socket socket) throws Exception {
        if (socket instanceof SSLSocket encrypted) {
            peers.add(TestCertificates.describePeer(encrypted));
        }
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        while (true) {
            Received request = read(in);
            if (request == null) {
                return;
            }
            requests.add(request);
            script.answer(request, out);
            out.flush();
        }
    }

    private static Received read(InputStream in) throws IOException {
        String first = line(in);
        if (first == null) {
            return null;
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim(),
                    (one, other) -> one + ", " + other);
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        String[] parts = first.split(" ");
        return new Received(parts[0], parts[1], headers, new String(body, StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return line.toString();
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return null;
    }

    @Override
    public void close() {
        listener.close();
        threads.forEach(Thread::interrupt);
    }

    private static final class Reset extends IOException {

        private static final long serialVersionUID = 1L;
    }

    /** What to answer; throwing ends the connection. */
    @FunctionalInterface
    public interface Script {
        /** Answers one request. */
        void answer(Received request, OutputStream out) throws Exception;
    }

    /**
     * One request as it came.
     *
     * @param method the HTTP method
     * @param target path and query, encoded
     * @param headers by lower-case name; the values of one name are separated by a comma
     * @param body the body
     */
    public record Received(String method, String target, Map<String, String> headers, String body) {}
}
