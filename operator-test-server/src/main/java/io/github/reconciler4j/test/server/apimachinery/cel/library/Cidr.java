package io.github.reconciler4j.test.server.apimachinery.cel.library;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A range of IP addresses. Immutable. */
record Cidr(IpAddress address, int bits) {
    private static final int BYTE = 8;

    /** Reads a range such as {@code 10.0.0.0/8}; null if it is none. */
    static @Nullable Cidr parse(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("0|[1-9][0-9]{0,2}")) {
            return null;
        }
        IpAddress address = IpAddress.parse(text.substring(0, slash));
        int bits = Integer.parseInt(text.substring(slash + 1));
        return address == null || bits > address.bytes().length * BYTE ? null : new Cidr(address, bits);
    }

    boolean contains(IpAddress other) {
        return other.isFour() == address.isFour() && Arrays.equals(address.masked(bits), other.masked(bits));
    }

    boolean contains(Cidr other) {
        return bits <= other.bits && contains(other.address);
    }

    Cidr masked() {
        return new Cidr(new IpAddress(address.masked(bits)), bits);
    }

    @Override
    public String toString() {
        return address + "/" + bits;
    }
}
