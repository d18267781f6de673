package io.github.reconciler4j.test.server.internal.webhook;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A connection to a webhook. For one thread at a time. */
final class WebhookConnection {
    private static final int MAX_LINE = 64 * 1024;
    private static final int MAX_BODY = 64 * 1024 * 1024;

    private final SSLSocket socket;
    private final InputStream in;

    private WebhookConnection(SSLSocket socket) throws IOException {
        this.socket = socket;
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** The answer of a webhook. */
    record Answer(int status, byte[] body, boolean keepAlive) {}

    /** Connect and shake hands; the certificate must be for the name. */
    static WebhookConnection open(InetSocketAddress address, String serverName, SSLContext context, long deadline)
            throws IOException {
        Socket plain = new Socket();
        try {
            plain.setTcpNoDelay(true);
            plain.connect(address, left(deadline));
            SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket(plain, serverName, address.getPort(), true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(left(deadline));
            socket.startHandshake();
            return new WebhookConnection(socket);
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private static int left(long deadline) throws SocketTimeoutException {
        long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (millis <= 0) {
            throw new SocketTimeoutException("the time is over");
        }
        return (int) Math.min(Integer.MAX_VALUE, millis);
    }

    Answer post(String path, String host, byte[] body, long deadline) throws IOException {
        String head = "POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: kube-apiserver-admission\r\n"
                + "Content-Length: " + body.length + "\r\nAccept: application/json, */*\r\n"
                + "Content-Type: application/json\r\n\r\n";
        ByteArrayOutputStream request = new ByteArrayOutputStream(head.length() + body.length);
        request.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(body);
        socket.getOutputStream().write(request.toByteArray());
        socket.getOutputStream().flush();
        try {
            return read(deadline);
        } catch (NumberFormatException e) {
            throw new IOException("malformed HTTP response", e);
        }
    }

    private Answer read(long deadline) throws IOException {
        String[] start = line(deadline).split(" ", 3);
        if (start.length < 2) {
            throw new IOException("malformed HTTP response");
        }
        long length = -1;
        boolean chunked = false;
        boolean keepAlive = start[0].equals("HTTP/1.1");
        for (String line = line(deadline); !line.isEmpty(); line = line(deadline)) {
            String[] header = line.split(":", 2);
            String value = header.length > 1 ? header[1].trim().toLowerCase(Locale.ROOT) : "";
            switch (header[0].toLowerCase(Locale.ROOT)) {
                case "content-length" -> length = Long.parseLong(value);
                case "transfer-encoding" -> chunked = value.equals("chunked");
                case "connection" -> keepAlive &= !value.equals("close");
                default -> {}
            }
        }
        byte[] body = chunked ? chunks(deadline) : length >= 0 ? bytes(length, deadline) : rest(deadline);
        return new Answer(Integer.parseInt(start[1]), body, keepAlive && (chunked || length >= 0));
    }

    private String line(long deadline) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = next(deadline); b != '\n'; b = next(deadline)) {
            if (b < 0 || line.size() > MAX_LINE) {
                throw new EOFException();
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    private int next(long deadline) throws IOException {
        socket.setSoTimeout(left(deadline));
        return in.read();
    }

    private byte[] bytes(long length, long deadline) throws IOException {
        if (length > MAX_BODY) {
            throw new IOException("the answer is too large");
        }
        byte[] body = new byte[(int) length];
        int read = 0;
        while (read < body.length) {
            socket.setSoTimeout(left(deadline));
            int count = in.read(body, read, body.length - read);
            if (count < 0) {
                throw new EOFException();
            }
            read += count;
        }
        return body;
    }

    private byte[] chunks(long deadline) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(line(deadline).split(";", 2)[0].trim(), 16);
            if (size == 0) {
                while (!line(deadline).isEmpty()) {
                    // trailers mean nothing here
                }
                return body.toByteArray();
            }
            body.writeBytes(bytes(size, deadline));
            line(deadline);
        }
    }

    private byte[] rest(long deadline) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int b = next(deadline); b >= 0 && body.size() < MAX_BODY; b = next(deadline)) {
            body.write(b);
        }
        return body.toByteArray();
    }

    void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // closed anyway
        }
    }
}
