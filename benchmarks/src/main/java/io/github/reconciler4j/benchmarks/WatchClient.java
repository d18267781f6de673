package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * A watcher that does as little as it can, on an encrypted connection of its own: it looks for the time in each event and
 * notes how long ago that was.
 */
final class WatchClient implements Runnable {
    /** The field whose value is the time of a write. */
    static final String FIELD = "writtenAt";

    private static final byte[] MARK = ("\"" + FIELD + "\":\"").getBytes(StandardCharsets.US_ASCII);
    private static final int BUFFER = 64 * 1024;

    private final SSLSocket socket;
    private final long[] delays;
    private final CountDownLatch open;
    private final Thread thread = new Thread(this, "watcher");
    private int seen;
    private int matched;
    private long number = -1;

    private WatchClient(SSLSocket socket, int events, CountDownLatch open) {
        this.socket = socket;
        this.open = open;
        delays = new long[events];
    }

    static WatchClient start(KubernetesServer server, String path, int events, CountDownLatch open) {
        try {
            SSLSocket socket = (SSLSocket) trusting(Objects.requireNonNull(server.certificateAuthority()))
                    .getSocketFactory()
                    .createSocket("127.0.0.1", server.port());
            OutputStream out = socket.getOutputStream();
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                    + server.adminToken() + "\r\n\r\n";
            out.write(request.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            WatchClient client = new WatchClient(socket, events, open);
            client.thread.setDaemon(true);
            client.thread.start();
            return client;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SSLContext trusting(String pem) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream text = new java.io.ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII))) {
            store.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(text));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Override
    public void run() {
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = socket.getInputStream()) {
            for (int read = in.read(buffer); read >= 0 && seen < delays.length; read = in.read(buffer)) {
                open.countDown();
                for (int i = 0; i < read && seen < delays.length; i++) {
                    take(buffer[i]);
                }
                if (seen == delays.length) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("a watch broke", e);
        }
    }

    /** A time may be cut by the length of a chunk, which is read as part of it; the sizes of events make that rare. */
    private void take(byte next) {
        if (number >= 0) {
            if (next >= '0' && next <= '9') {
                number = number * 10 + next - '0';
            } else if (next == '"') {
                delays[seen++] = System.nanoTime() - number;
                number = -1;
            }
        } else if (next == MARK[matched]) {
            matched++;
            if (matched == MARK.length) {
                matched = 0;
                number = 0;
            }
        } else {
            matched = next == MARK[0] ? 1 : 0;
        }
    }

    void await() throws InterruptedException {
        thread.join();
    }

    long[] delays() {
        return delays;
    }
}
