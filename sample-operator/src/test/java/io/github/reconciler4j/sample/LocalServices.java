package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Connects the API server with the pods of {@link LocalKubelet} by the addresses of Services, since the control plane of the
 * tests has no network. The API server connects to Services through this proxy, as its egress configuration says.
 */
final class LocalServices implements AutoCloseable {

    private final ServerSocketChannel listener;
    private final Path socket;
    private final AtomicInteger next = new AtomicInteger();
    private volatile KubernetesClient client;
    private volatile Supplier<List<LocalPod>> pods = List::of;

    private LocalServices(ServerSocketChannel listener, Path socket) {
        this.listener = listener;
        this.socket = socket;
    }

    static LocalServices start(Path folder) throws IOException {
        Path socket = folder.resolve("services.sock");
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket));
        LocalServices services = new LocalServices(listener, socket);
        daemon(services::accept);
        return services;
    }

    /** Writes the file for the flag {@code --egress-selector-config-file} of the API server. */
    Path writeConfiguration(Path file) throws IOException {
        return Files.writeString(file, """
                apiVersion: apiserver.k8s.io/v1beta1
                kind: EgressSelectorConfiguration
                egressSelections:
                - name: cluster
                  connection:
                    proxyProtocol: HTTPConnect
                    transport: {uds: {udsName: "%s"}}
                """.formatted(socket));
    }

    /** Serves the Services of a cluster with these pods. */
    void serve(KubernetesClient cluster, Supplier<List<LocalPod>> running) {
        client = cluster;
        pods = running;
    }

    private void accept() {
        while (listener.isOpen()) {
            try {
                SocketChannel connection = listener.accept();
                daemon(() -> connect(connection));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void connect(SocketChannel caller) {
        try (caller) {
            String address = readRequest(caller).split(" ")[1];
            LocalPod pod = select(address.substring(0, address.lastIndexOf(':')));
            if (pod == null) {
                write(caller, "HTTP/1.1 503 No pod is ready\r\n\r\n");
                return;
            }
            try (SocketChannel target =
                    SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), pod.webhookPort()))) {
                target.setOption(
                        StandardSocketOptions.TCP_NODELAY, true); // small writes do not wait for acknowledgments
                write(caller, "HTTP/1.1 200 OK\r\n\r\n");
                daemon(() -> copy(target, caller));
                copy(caller, target);
            }
        } catch (IOException e) {
            // the caller or the pod has ended the connection
        }
    }

    private static void write(SocketChannel channel, String text) throws IOException {
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        ByteBuffer buffer = ByteBuffer.allocate(16_384);
        try {
            while (from.read(buffer.clear()) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // the other direction has ended
        }
    }

    private static String readRequest(SocketChannel channel) throws IOException {
        StringBuilder head = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (head.indexOf("\r\n\r\n") < 0) {
            if (channel.read(one.clear()) < 0) {
                throw new IOException("no request");
            }
            head.append((char) one.get(0));
        }
        return head.toString();
    }

    /** Returns one of the ready pods if the address is that of the Service for webhooks, null otherwise. */
    private LocalPod select(String address) {
        Service service = client.services().inAnyNamespace().list().getItems().stream()
                .filter(one -> address.equals(one.getSpec().getClusterIP()))
                .findFirst()
                .orElseThrow(() -> new UncheckedIOException(new IOException("no Service has the address " + address)));
        if (!service.getMetadata().getName().endsWith("-webhook")) {
            return null;
        }
        List<LocalPod> ready = pods.get().stream().filter(LocalPod::isReported).toList();
        return ready.isEmpty() ? null : ready.get(Math.floorMod(next.getAndIncrement(), ready.size()));
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "local-services");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
