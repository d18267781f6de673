package io.github.reconciler4j.controllers.internal.services;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads IP addresses and writes them in their one canonical form.
 *
 * @since 0.1.0
 */
public final class IpAddresses {

    private static final Pattern IPV4 = Pattern.compile("\\d{1,9}(\\.\\d{1,9}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private IpAddresses() {}

    /** Return whether a text is an IPv6 address. An IPv4 address that is mapped to IPv6 is not. */
    public static boolean isIpv6(@Nullable String text) {
        String canonical = canonical(text);
        return canonical != null && canonical.indexOf(':') >= 0;
    }

    /** Return an address in canonical form, {@code null} if it is not one. Leading zeros are ignored. */
    public static @Nullable String canonical(@Nullable String text) {
        if (text == null) {
            return null;
        }
        if (IPV4.matcher(text).matches()) {
            return canonicalIpv4(text);
        }
        if (!IPV6.matcher(text).matches()) {
            return null;
        }
        try {
            byte[] address = InetAddress.getByName(text).getAddress(); // never a request to DNS, as it is no name
            return address.length == 4 ? dotted(address) : canonicalIpv6(address);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static @Nullable String canonicalIpv4(String text) {
        String[] parts = text.split("\\.");
        byte[] address = new byte[4];
        for (int i = 0; i < 4; i++) {
            int part = Integer.parseInt(parts[i]);
            if (part > 255) {
                return null;
            }
            address[i] = (byte) part;
        }
        return dotted(address);
    }

    private static String dotted(byte[] address) {
        return (address[0] & 0xff) + "." + (address[1] & 0xff) + "." + (address[2] & 0xff) + "." + (address[3] & 0xff);
    }

    /** Eight groups, the longest run of at least two zero groups replaced by {@code ::}, as RFC 5952 says. */
    private static String canonicalIpv6(byte[] address) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (address[2 * i] & 0xff) << 8 | (address[2 * i + 1] & 0xff);
        }
        int bestStart = -1;
        int bestLength = 1;
        for (int start = 0; start < 8; start++) {
            int length = 0;
            while (start + length < 8 && groups[start + length] == 0) {
                length++;
            }
            if (length > bestLength) {
                bestStart = start;
                bestLength = length;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == bestStart) {
                text.append("::");
                i += bestLength - 1;
            } else {
                text.append(text.length() == 0 || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }
}
