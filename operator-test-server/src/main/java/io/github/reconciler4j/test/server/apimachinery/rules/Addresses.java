package io.github.reconciler4j.test.server.apimachinery.rules;

import io.github.reconciler4j.test.server.apimachinery.schema.Formats;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** IP addresses and ranges of them. */
final class Addresses {
    private static final int BYTE = 8;
    private static final int MASK = 0xff;

    private Addresses() {}

    static boolean isIp(String text) {
        return Formats.matches("ipv4", text) || Formats.matches("ipv6", text);
    }

    static boolean isRange(String text) {
        return Formats.matches("cidr", text);
    }

    /** Whether a range is a part of another, and not all of it. */
    static boolean isInside(String inner, String outer) {
        int innerBits = Integer.parseInt(inner.substring(inner.indexOf('/') + 1));
        int outerBits = Integer.parseInt(outer.substring(outer.indexOf('/') + 1));
        return innerBits > outerBits && Arrays.equals(masked(inner, outerBits), masked(outer, outerBits));
    }

    private static byte[] masked(String range, int bits) {
        try {
            byte[] bytes = InetAddress.getByName(range.substring(0, range.indexOf('/')))
                    .getAddress();
            for (int i = 0; i < bytes.length; i++) {
                int kept = Math.min(BYTE, Math.max(0, bits - i * BYTE));
                bytes[i] &= (byte) (MASK << (BYTE - kept));
            }
            return bytes;
        } catch (UnknownHostException e) {
            return new byte[0];
        }
    }
}
