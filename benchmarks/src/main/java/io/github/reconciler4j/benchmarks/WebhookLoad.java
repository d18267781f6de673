package io.github.reconciler4j.benchmarks;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Calls a webhook at a fixed rate over a few connections that stay open, as an API server does. For one run. */
final class WebhookLoad {
    private static final int CONNECTIONS = 4;
    private static final int WARM_UP_SECONDS = 10;

    private final int port;
    private final SSLContext trust;
    private final byte[] request;

    private WebhookLoad(int port, Path certificate) throws Exception {
        this.port = port;
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null);
        try (InputStream in = Files.newInputStream(certificate)) {
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        trust = SSLContext.getInstance("TLS");
        trust.init(null, factory.getTrustManagers(), null);
        request = request();
    }

    private static byte[] request() {
        String text = "x".repeat(2_000);
        String body =
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u-1\",\"kind\":"
                        + "{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"},\"resource\":{\"group\":\"\",\"version\":\"v1\","
                        + "\"resource\":\"configmaps\"},\"name\":\"one\",\"namespace\":\"default\",\"operation\":\"CREATE\",\"userInfo\":"
                        + "{\"username\":\"alice\",\"groups\":[\"a\"]},\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":"
                        + "{\"name\":\"one\",\"namespace\":\"default\",\"labels\":{\"a\":\"b\"}},\"data\":{\"text\":\""
                        + text + "\"}},"
                        + "\"oldObject\":null,\"dryRun\":false,\"options\":{\"kind\":\"CreateOptions\",\"apiVersion\":\"meta.k8s.io/v1\"}}}";
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head =
                "POST /mutate--v1-configmap?timeout=10s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: " + bytes.length + "\r\n\r\n";
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        whole.writeBytes(bytes);
        return whole.toByteArray();
    }

    /**
     * Arguments: PORT, the file of the certificate, calls per second, seconds. Prints the number of calls, and in milliseconds the
     * median, p99, p99.9 and maximum of their times, and the p99 of how late they were sent.
     */
    public static void main(String[] arguments) throws Exception {
        WebhookLoad load = new WebhookLoad(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
        int rate = Integer.parseInt(arguments[2]);
        load.run(rate, WARM_UP_SECONDS * rate);
        Calls calls = load.run(rate, Integer.parseInt(arguments[3]) * rate);
        Arrays.sort(calls.nanos);
        Arrays.sort(calls.late);
        System.out.printf(
                Locale.ROOT,
                "%d %.2f %.2f %.2f %.2f %.2f%n",
                calls.nanos.length,
                at(calls.nanos, 0.5),
                at(calls.nanos, 0.99),
                at(calls.nanos, 0.999),
                at(calls.nanos, 1),
                at(calls.late, 0.99));
    }

    private static double at(long[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / 1e6;
    }

    /** Times of calls: how long they took, and how long after their time they were sent. */
    private record Calls(long[] nanos, long[] late) {}

    private Calls run(int rate, int count) throws Exception {
        Calls calls = new Calls(new long[count], new long[count]);
        AtomicInteger next = new AtomicInteger();
        long start = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<Void>> connections = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(threads.submit(() -> {
                    connect(calls, next, start, 1_000_000_000L / rate);
                    return null;
                }));
            }
            for (Future<Void> connection : connections) {
                connection.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return calls;
    }

    private void connect(Calls calls, AtomicInteger next, long start, long interval) throws Exception {
        try (SSLSocket socket = (SSLSocket) trust.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int call = next.getAndIncrement(); call < calls.nanos.length; call = next.getAndIncrement()) {
                long due = start + call * interval;
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                long sent = System.nanoTime();
                socket.getOutputStream().write(request);
                read(in);
                calls.nanos[call] = System.nanoTime() - sent;
                calls.late[call] = sent - due;
            }
        }
    }

    private static void read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed after " + head);
            }
            head.append((char) b);
        }
        String text = head.toString().toLowerCase(java.util.Locale.ROOT);
        if (!text.startsWith("http/1.1 200")) {
            throw new IOException(text);
        }
        if (text.contains("transfer-encoding: chunked")) {
            readChunks(in);
        } else {
            int start = text.indexOf("content-length:") + "content-length:".length();
            in.skipNBytes(Long.parseLong(
                    text.substring(start, text.indexOf("\r\n", start)).trim()));
        }
    }

    private static void readChunks(InputStream in) throws IOException {
        while (true) {
            StringBuilder size = new StringBuilder();
            while (size.indexOf("\r\n") < 0) {
                size.append((char) in.read());
            }
            int length = Integer.parseInt(size.toString().trim(), 16);
            in.skipNBytes(length + 2L);
            if (length == 0) {
                return;
            }
        }
    }
}
