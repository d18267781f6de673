package io.github.reconciler4j.test.server.internal.http;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The few forms of DER that a certificate needs. */
final class Der {
    private static final int SHORT_LENGTH = 0x80;
    private static final int BYTE = 0xff;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return tagged(0x30, join(parts));
    }

    static byte[] set(byte[]... parts) {
        return tagged(0x31, join(parts));
    }

    static byte[] integer(BigInteger value) {
        return tagged(0x02, value.toByteArray());
    }

    static byte[] yes() {
        return tagged(0x01, new byte[] {(byte) BYTE});
    }

    static byte[] octets(byte[] content) {
        return tagged(0x04, content);
    }

    /** A bit string; {@code unused} is how many bits at the end mean nothing. */
    static byte[] bits(int unused, byte[] content) {
        return tagged(0x03, join(new byte[] {(byte) unused}, content));
    }

    static byte[] text(String value) {
        return tagged(0x0c, value.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] time(Instant instant) {
        return tagged(0x18, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] oid(int... arcs) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.write(40 * arcs[0] + arcs[1]);
        for (int i = 2; i < arcs.length; i++) {
            for (int shift = 28; shift > 0; shift -= 7) {
                if (arcs[i] >> shift != 0) {
                    content.write(arcs[i] >> shift & 0x7f | SHORT_LENGTH);
                }
            }
            content.write(arcs[i] & 0x7f);
        }
        return tagged(0x06, content.toByteArray());
    }

    static byte[] tagged(int tag, byte[] content) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        if (content.length < SHORT_LENGTH) {
            all.write(content.length);
        } else {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int skipped = length[0] == 0 ? 1 : 0;
            all.write(SHORT_LENGTH | length.length - skipped);
            all.write(length, skipped, length.length - skipped);
        }
        all.writeBytes(content);
        return all.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
