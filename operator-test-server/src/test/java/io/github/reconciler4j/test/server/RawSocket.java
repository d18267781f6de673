package io.github.reconciler4j.test.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection on which a test writes what it likes. Reads end after a time, so that a server that hangs is noticed. */
final class RawSocket implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3}) ");

    private final Socket socket;

    RawSocket(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
    }

    /** Write text as it is, and ignore that the server may have closed the connection. */
    RawSocket write(String text) throws IOException {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        } catch (SocketException e) {
            // closed by the server: what it said before can still be read
        }
        return this;
    }

    /** Close the output. */
    RawSocket end() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Return everything up to the end of the connection, which the server must close. */
    String readAll() throws IOException {
        StringBuilder text = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                text.append((char) next);
            }
        } catch (SocketException e) {
            // a reset is an end, too
        }
        return text.toString();
    }

    /** Reads until a text has come. */
    String readUntil(String wanted) throws IOException {
        StringBuilder text = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (text.indexOf(wanted) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("ended before '" + wanted + "': " + text);
            }
            text.append((char) next);
        }
        return text.toString();
    }

    /** The status codes of all answers in a text. */
    static List<Integer> statuses(String text) {
        List<Integer> statuses = new ArrayList<>();
        Matcher matcher = STATUS.matcher(text);
        while (matcher.find()) {
            statuses.add(Integer.valueOf(matcher.group(1)));
        }
        return statuses;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
