package io.github.reconciler4j.manager;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Forwards TCP connections to a port until it is cut: from then on nothing arrives on either side and connections stay
 * open, as when a network fails. What was sent meanwhile is lost, and the connections end when it is mended.
 */
final class CuttableProxy implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    CuttableProxy(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    void cut() {
        cut = true;
    }

    void mend() {
        sockets.forEach(CuttableProxy::closeQuietly);
        cut = false;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(upstream);
                daemon(() -> forward(client, upstream));
                daemon(() -> forward(upstream, client));
            } catch (IOException e) {
                // Closed, or the target is away; the client finds out by itself.
            }
        }
    }

    private void forward(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (!cut) {
                    out.write(buffer, 0, count);
                }
            }
        } catch (IOException e) {
            // One side has ended; both are closed now.
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more either way.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        sockets.forEach(CuttableProxy::closeQuietly);
    }
}
