package io.github.reconciler4j.test.server.apimachinery.cel.library;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An IP address: 4 bytes or 16. Immutable, as long as nobody changes the array. */
record IpAddress(byte[] bytes) {
    private static final int FOUR = 4;
    private static final int SIXTEEN = 16;
    private static final int GROUPS = 8;
    private static final int MAX_OCTET_DIGITS = 3;
    private static final int MAX_OCTET = 255;
    private static final int BYTE = 8;
    private static final int MASK = 0xff;

    /** Reads an address; null if it is none. Octets have no leading zeros, and zones are not read. */
    static @Nullable IpAddress parse(String text) {
        byte[] bytes = text.contains(":") ? six(text) : four(text);
        return bytes == null ? null : new IpAddress(bytes);
    }

    private static byte @Nullable [] four(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != FOUR) {
            return null;
        }
        byte[] bytes = new byte[FOUR];
        for (int i = 0; i < FOUR; i++) {
            boolean plain = parts[i].matches("[0-9]{1," + MAX_OCTET_DIGITS + "}")
                    && (parts[i].length() == 1 || parts[i].charAt(0) != '0');
            if (!plain || Integer.parseInt(parts[i]) > MAX_OCTET) {
                return null;
            }
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return bytes;
    }

    private static byte @Nullable [] six(String text) {
        int gap = text.indexOf("::");
        byte[] head = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        byte[] tail = gap < 0 ? new byte[0] : groups(text.substring(gap + 2), true);
        if (head == null || tail == null) {
            return null;
        }
        int known = head.length + tail.length;
        if (gap < 0 ? known != SIXTEEN : known > SIXTEEN - 2) {
            return null;
        }
        byte[] bytes = Arrays.copyOf(head, SIXTEEN);
        System.arraycopy(tail, 0, bytes, SIXTEEN - tail.length, tail.length);
        return bytes;
    }

    private static byte @Nullable [] groups(String text, boolean mayEndInFour) {
        if (text.isEmpty()) {
            return new byte[0];
        }
        String[] parts = text.split(":", -1);
        byte[] bytes = new byte[2 * parts.length + 2];
        int length = 0;
        for (int i = 0; i < parts.length; i++) {
            byte[] four = mayEndInFour && i == parts.length - 1 ? four(parts[i]) : null;
            if (four != null) {
                System.arraycopy(four, 0, bytes, length, FOUR);
                length += FOUR;
            } else if (parts[i].matches("[0-9a-fA-F]{1,4}")) {
                int group = Integer.parseInt(parts[i], SIXTEEN);
                bytes[length++] = (byte) (group >> BYTE);
                bytes[length++] = (byte) group;
            } else {
                return null;
            }
        }
        return length > SIXTEEN ? null : Arrays.copyOf(bytes, length);
    }

    boolean isFour() {
        return bytes.length == FOUR;
    }

    /** Whether it is an address of version 4 in the form of version 6. */
    boolean isMapped() {
        byte[] prefix = new byte[SIXTEEN - FOUR];
        Arrays.fill(prefix, prefix.length - 2, prefix.length, (byte) MASK);
        return !isFour() && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    int octet(int index) {
        return bytes[index] & MASK;
    }

    private boolean endsInZeros(int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    boolean isUnspecified() {
        return endsInZeros(0);
    }

    boolean isLoopback() {
        return isFour() ? octet(0) == 127 : new IpAddress(masked(127)).isUnspecified() && octet(15) == 1;
    }

    boolean isMulticast() {
        return isFour() ? (octet(0) & 0xf0) == 0xe0 : octet(0) == MASK;
    }

    boolean isLinkLocalMulticast() {
        return isFour()
                ? octet(0) == 224 && octet(1) == 0 && octet(2) == 0
                : octet(0) == MASK && (octet(1) & 0x0f) == 2;
    }

    boolean isLinkLocalUnicast() {
        return isFour() ? octet(0) == 169 && octet(1) == 254 : octet(0) == 0xfe && (octet(1) & 0xc0) == 0x80;
    }

    boolean isGlobalUnicast() {
        boolean broadcast = isFour() && octet(0) == MASK && octet(1) == MASK && octet(2) == MASK && octet(3) == MASK;
        return !broadcast && !isUnspecified() && !isLoopback() && !isMulticast() && !isLinkLocalUnicast();
    }

    /** The bytes with zeros after the first bits. */
    byte[] masked(int bits) {
        byte[] masked = bytes.clone();
        for (int i = 0; i < masked.length; i++) {
            int kept = Math.min(BYTE, Math.max(0, bits - i * BYTE));
            masked[i] &= (byte) (MASK << (BYTE - kept));
        }
        return masked;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IpAddress address && Arrays.equals(bytes, address.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The shortest form: lower case, the longest row of zeros left out. */
    @Override
    public String toString() {
        if (isFour()) {
            return octet(0) + "." + octet(1) + "." + octet(2) + "." + octet(3);
        }
        if (isMapped()) {
            return "::ffff:" + octet(12) + "." + octet(13) + "." + octet(14) + "." + octet(15);
        }
        int[] gap = longestGap();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap[0]) {
                text.append("::");
                i += gap[1] - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":");
                text.append(Integer.toHexString(octet(2 * i) << BYTE | octet(2 * i + 1)));
            }
        }
        return text.toString();
    }

    private int[] longestGap() {
        int[] best = {-1, 1};
        for (int start = 0; start < GROUPS; start++) {
            int length = 0;
            while (start + length < GROUPS
                    && octet(2 * (start + length)) == 0
                    && octet(2 * (start + length) + 1) == 0) {
                length++;
            }
            if (length > best[1]) {
                best = new int[] {start, length};
            }
        }
        return best;
    }
}
