package io.github.reconciler4j.client;

import io.github.reconciler4j.fixtures.LoopbackListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An HTTP proxy on loopback that passes on what it is asked to {@code CONNECT} to. */
final class ConnectProxy implements AutoCloseable {

    /** The heads of the requests, as they came. */
    final List<String> heads = new CopyOnWriteArrayList<>();

    private final LoopbackListener listener;
    private final String answer;

    /**
     * Start to listen.
     *
     * @param answer what it says to CONNECT, such as {@code 200 OK}
     */
    ConnectProxy(String answer) throws IOException {
        this.answer = answer;
        listener = new LoopbackListener(
                "connect-proxy", client -> LoopbackListener.daemon("connect-proxy", () -> serve(client)));
    }

    String address() {
        return "http://127.0.0.1:" + listener.port();
    }

    private void serve(Socket client) {
        try (client) {
            String head = head(client.getInputStream());
            heads.add(head);
            OutputStream out = client.getOutputStream();
            out.write(("HTTP/1.1 " + answer + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            if (answer.startsWith("2")) {
                String target = head.split(" ")[1];
                int colon = target.lastIndexOf(':');
                try (Socket upstream =
                        new Socket(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)))) {
                    listener.add(upstream);
                    LoopbackListener.daemon("connect-proxy", () -> pass(upstream, client));
                    pass(client, upstream);
                }
            }
        } catch (IOException e) {
            // One side has ended.
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            head.append((char) c);
            if (head.toString().endsWith("\r\n\r\n")) {
                return head.toString();
            }
        }
        throw new IOException("ended in the head");
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // One side has ended.
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
