package io.github.reconciler4j.grid;

import io.github.reconciler4j.fixtures.ScriptedServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How a response is sent, and where it breaks. */
enum Framing {
    LENGTH(Part.ALL),
    LENGTH_AND_CLOSE(Part.ALL),
    BYTE_BY_BYTE(Part.ALL),
    INTERIM_BEFORE(Part.ALL),
    CHUNKED(Part.ALL),
    CHUNKED_BYTES(Part.ALL),
    CHUNKED_WITH_TRAILERS(Part.ALL),
    UNTIL_CLOSE(Part.UNTIL_CLOSE),
    FOLLOWED_BY_RESPONSE(Part.MORE),
    FOLLOWED_BY_BYTE(Part.MORE),
    CHUNKED_FOLLOWED_BY_RESPONSE(Part.MORE),
    LENGTH_TOO_SMALL(Part.SOME),
    LENGTH_TOO_LARGE(Part.SOME),
    CHUNK_TOO_SMALL(Part.SOME),
    NOT_CHUNKED(Part.SOME),
    BEFORE_HEAD(Part.SOME),
    IN_STATUS_LINE(Part.SOME),
    IN_HEADERS(Part.SOME),
    AFTER_HEAD(Part.SOME),
    IN_FIRST_THIRD(Part.SOME),
    IN_SECOND_THIRD(Part.SOME),
    BEFORE_LAST_BYTE(Part.SOME),
    HALF_UNTIL_CLOSE(Part.SOME),
    IN_CHUNK_HEADER(Part.SOME),
    IN_CHUNK(Part.SOME),
    BEFORE_LAST_CHUNK(Part.SOME),
    IN_LAST_CHUNK(Part.SOME),
    WITHOUT_END(Part.ENDLESS);

    /** What a client receives. */
    enum Part {
        ALL,
        UNTIL_CLOSE,
        MORE,
        SOME,
        ENDLESS
    }

    /** What happens to the connection after the last byte. */
    enum End {
        CLOSE,
        RESET,
        STALL
    }

    private static final String OTHER_RESPONSE = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n\"evil\"";

    final Part part;

    Framing(Part part) {
        this.part = part;
    }

    /** What a client receives of a response. */
    enum Received {
        WHOLE,
        TRUNCATED,
        NOT_WHOLE
    }

    /** Return what a client can take the response for. */
    Received received(Shape shape, byte[] body, End end) {
        if (this == BEFORE_HEAD || this == IN_STATUS_LINE || this == IN_HEADERS) {
            return Received.NOT_WHOLE;
        }
        if (shape.isWithoutBody()) {
            return Received.WHOLE;
        }
        return switch (part) {
            case ALL, MORE -> Received.WHOLE;
            case UNTIL_CLOSE -> end == End.CLOSE ? Received.WHOLE : Received.NOT_WHOLE;
            case ENDLESS -> Received.NOT_WHOLE;
            case SOME -> receivedOfPart(body, end);
        };
    }

    private Received receivedOfPart(byte[] body, End end) {
        Received whole = body.length == 0 ? Received.WHOLE : Received.TRUNCATED;
        return switch (this) {
            case LENGTH_TOO_SMALL -> whole;
            case HALF_UNTIL_CLOSE -> end == End.CLOSE ? whole : Received.NOT_WHOLE;
            case AFTER_HEAD, IN_FIRST_THIRD, IN_SECOND_THIRD, BEFORE_LAST_BYTE ->
                body.length == 0 ? Received.WHOLE : Received.NOT_WHOLE;
            default -> Received.NOT_WHOLE;
        };
    }

    /** Whether the client must use another connection for its next request. */
    boolean endsConnection(Shape shape, byte[] body, End end) {
        if (shape.isWithoutBody()) {
            int behind = this == INTERIM_BEFORE ? body.length : bytes(shape, body).length - head(shape, body).length;
            return behind != 0 || this == LENGTH_AND_CLOSE || this == BEFORE_HEAD || part == Part.ENDLESS;
        }
        return switch (part) {
            case ALL -> this == LENGTH_AND_CLOSE;
            case SOME -> received(shape, body, end) != Received.WHOLE;
            case MORE -> body.length < 50_000; // the bytes behind a long body may arrive later
            case UNTIL_CLOSE, ENDLESS -> true;
        };
    }

    /** Send a response. */
    void send(Shape shape, byte[] body, End end, OutputStream out) throws Exception {
        byte[] all = bytes(shape, body);
        if (this == BYTE_BY_BYTE && !shape.isWithoutBody()) {
            for (int i = 0; i < Math.min(all.length, 1000); i++) {
                out.write(all[i]);
            }
            out.write(all, Math.min(all.length, 1000), Math.max(0, all.length - 1000));
        } else {
            out.write(all);
        }
        if (part == Part.ENDLESS && !shape.isWithoutBody()) {
            byte[] more = ascii("10000\r\n" + " ".repeat(65536) + "\r\n");
            while (true) {
                out.write(more);
            }
        }
        out.flush();
        end(end, endsConnection(shape, body, end));
    }

    private void end(End end, boolean endsConnection) throws Exception {
        switch (end) {
            case CLOSE -> throw new IOException("closed");
            case RESET -> ScriptedServer.reset();
            case STALL -> {
                if (endsConnection || part == Part.MORE) {
                    ScriptedServer.stall();
                }
            }
        }
    }

    private byte[] bytes(Shape shape, byte[] body) {
        byte[] head = head(shape, body);
        return switch (this) {
            case BEFORE_HEAD -> new byte[0];
            case IN_STATUS_LINE -> Arrays.copyOf(head, 11);
            case IN_HEADERS -> Arrays.copyOf(head, head.length - 3);
            case INTERIM_BEFORE ->
                joined(ascii("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n"), joined(head, body));
            default -> joined(head, framed(body));
        };
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private boolean isChunked() {
        return lengthHeader(0).startsWith("Transfer");
    }

    private byte[] head(Shape shape, byte[] body) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + shape.code() + " X\r\n");
        shape.headers().forEach(line -> head.append(line).append("\r\n"));
        if (!shape.isWithoutBody() || isChunked()) {
            head.append(lengthHeader(body.length));
        } else if (this == LENGTH_AND_CLOSE) {
            head.append("Connection: close\r\n");
        }
        return ascii(head.append("\r\n").toString());
    }

    private String lengthHeader(int length) {
        return switch (this) {
            case CHUNKED,
                    CHUNKED_BYTES,
                    CHUNKED_WITH_TRAILERS,
                    CHUNKED_FOLLOWED_BY_RESPONSE,
                    CHUNK_TOO_SMALL,
                    NOT_CHUNKED,
                    IN_CHUNK_HEADER,
                    IN_CHUNK,
                    BEFORE_LAST_CHUNK,
                    IN_LAST_CHUNK,
                    WITHOUT_END -> "Transfer-Encoding: chunked\r\n";
            case UNTIL_CLOSE, HALF_UNTIL_CLOSE -> "";
            case LENGTH_AND_CLOSE -> "Connection: close\r\nContent-Length: " + length + "\r\n";
            case LENGTH_TOO_SMALL -> "Content-Length: " + Math.max(0, length - 5) + "\r\n";
            case LENGTH_TOO_LARGE -> "Content-Length: " + (length + 5) + "\r\n";
            default -> "Content-Length: " + length + "\r\n";
        };
    }

    private byte[] framed(byte[] body) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        int length = text.length();
        String chunk = length == 0 ? "" : Integer.toHexString(length) + "\r\n" + text + "\r\n";
        return ascii(
                switch (this) {
                    case FOLLOWED_BY_RESPONSE -> text + OTHER_RESPONSE;
                    case FOLLOWED_BY_BYTE -> text + "\n";
                    case CHUNKED_BYTES -> singly(text) + "0\r\n\r\n";
                    case CHUNKED -> chunk + "0\r\n\r\n";
                    case CHUNKED_WITH_TRAILERS -> chunk + "0\r\nX-Trailer: " + Verb.SECRET + "\r\n\r\n";
                    case CHUNKED_FOLLOWED_BY_RESPONSE -> chunk + "0\r\n\r\n" + OTHER_RESPONSE;
                    case CHUNK_TOO_SMALL -> "1\r\n" + text + Verb.SECRET + "\r\n0\r\n\r\n";
                    case AFTER_HEAD -> "";
                    case IN_FIRST_THIRD -> text.substring(0, length / 6);
                    case IN_SECOND_THIRD, HALF_UNTIL_CLOSE -> text.substring(0, length / 2);
                    case BEFORE_LAST_BYTE -> text.substring(0, Math.max(0, length - 1));
                    case IN_CHUNK_HEADER -> Integer.toHexString(length);
                    case IN_CHUNK -> chunk.substring(0, chunk.length() / 2);
                    case BEFORE_LAST_CHUNK, WITHOUT_END -> chunk;
                    case IN_LAST_CHUNK -> chunk + "0\r\n";
                    default -> text;
                });
    }

    private static String singly(String text) {
        StringBuilder chunks = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            chunks.append("1\r\n").append(text.charAt(i)).append("\r\n");
        }
        return chunks.toString();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
