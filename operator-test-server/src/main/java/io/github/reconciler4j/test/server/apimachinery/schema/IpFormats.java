package io.github.reconciler4j.test.server.apimachinery.schema;

import com.google.re2j.Pattern;

/** IP addresses as the server reads them: IPv4 with leading zeros, IPv6 without a zone. */
final class IpFormats {

    private static final Pattern IPV4 = Pattern.compile("\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}");
    private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");
    private static final int MAX_OCTET = 255;
    private static final int GROUPS = 8;
    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    private IpFormats() {}

    static boolean isIpv4(String text) {
        if (!IPV4.matches(text)) {
            // an IPv6 address that ends in IPv4 form counts, too
            return text.contains(".") && isIpv6(text);
        }
        for (String octet : text.split("\\.", -1)) {
            if (Integer.parseInt(octet) > MAX_OCTET) {
                return false;
            }
        }
        return true;
    }

    static boolean isIpv6(String text) {
        if (!text.contains(":")) {
            return false;
        }
        int gap = text.indexOf("::");
        if (gap >= 0) {
            int count = groups(text.substring(0, gap), false) + groups(text.substring(gap + 2), true);
            return count >= 0 && count < GROUPS;
        }
        return groups(text, true) == GROUPS;
    }

    /** Counts the groups of a part of an address; far below zero if one is not valid. */
    private static int groups(String part, boolean mayEndInIpv4) {
        if (part.isEmpty()) {
            return 0;
        }
        String[] groups = part.split(":", -1);
        int count = 0;
        for (int i = 0; i < groups.length; i++) {
            if (GROUP.matches(groups[i])) {
                count++;
            } else if (mayEndInIpv4 && i == groups.length - 1 && IPV4.matches(groups[i]) && isIpv4(groups[i])) {
                count += 2;
            } else {
                return -2 * GROUPS;
            }
        }
        return count;
    }

    static boolean isCidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("\\d{1,3}")) {
            return false;
        }
        int bits = Integer.parseInt(text.substring(slash + 1));
        String address = text.substring(0, slash);
        return (isIpv6(address) && bits <= IPV6_BITS)
                || (!address.contains(":") && isIpv4(address) && bits <= IPV4_BITS);
    }
}
