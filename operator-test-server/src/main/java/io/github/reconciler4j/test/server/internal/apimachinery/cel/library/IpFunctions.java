package io.github.reconciler4j.test.server.internal.apimachinery.cel.library;

import com.google.common.net.InetAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** IP addresses and CIDR ranges. */
final class IpFunctions {
    private static final Pattern BITS = Pattern.compile("0|[1-9][0-9]{0,2}");
    private static final int BYTE = 8;
    private static final int MASK = 0xff;

    /** An IP address. */
    record Ip(InetAddress address) {
        static @Nullable Ip parse(String text) {
            // an IPv4 address in the form of an IPv6 address is not allowed, nor is a zone
            boolean isAllowed = InetAddresses.isInetAddress(text)
                    && !text.contains("%")
                    && !(text.contains(":") && InetAddresses.isMappedIPv4Address(text));
            return isAllowed ? new Ip(InetAddresses.forString(text)) : null;
        }

        boolean isFour() {
            return address instanceof Inet4Address;
        }

        boolean isLinkLocalMulticast() {
            byte[] bytes = address.getAddress();
            return isFour() ? bytes[0] == (byte) 224 && bytes[1] == 0 && bytes[2] == 0 : address.isMCLinkLocal();
        }

        boolean isGlobalUnicast() {
            boolean broadcast = isFour() && Arrays.equals(address.getAddress(), new byte[] {-1, -1, -1, -1});
            return !broadcast
                    && !address.isAnyLocalAddress()
                    && !address.isLoopbackAddress()
                    && !address.isMulticastAddress()
                    && !address.isLinkLocalAddress();
        }

        @Override
        public String toString() {
            return InetAddresses.toAddrString(address);
        }
    }

    /** A CIDR range. */
    record Cidr(Ip ip, int bits) {
        static @Nullable Cidr parse(String text) {
            int slash = text.lastIndexOf('/');
            if (slash < 0 || !BITS.matcher(text.substring(slash + 1)).matches()) {
                return null;
            }
            Ip ip = Ip.parse(text.substring(0, slash));
            int bits = Integer.parseInt(text.substring(slash + 1));
            return ip == null || bits > ip.address().getAddress().length * BYTE ? null : new Cidr(ip, bits);
        }

        boolean contains(Ip other) {
            return other.isFour() == ip.isFour() && Arrays.equals(masked(ip), masked(other));
        }

        boolean contains(Cidr other) {
            return bits <= other.bits && contains(other.ip);
        }

        private byte[] masked(Ip other) {
            byte[] masked = other.address().getAddress();
            for (int i = 0; i < masked.length; i++) {
                masked[i] &= (byte) (MASK << (BYTE - Math.min(BYTE, Math.max(0, bits - i * BYTE))));
            }
            return masked;
        }

        Cidr masked() {
            try {
                return new Cidr(new Ip(InetAddress.getByAddress(masked(ip))), bits);
            } catch (UnknownHostException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String toString() {
            return ip + "/" + bits;
        }
    }

    private IpFunctions() {}

    static void addTo(KubernetesFunctions functions) {
        functions.global("ip", "string -> ip", args -> ip(args[0]));
        functions.global("isIP", "string -> bool", args -> Ip.parse((String) args[0]) != null);
        functions.global(
                "ip.isCanonical",
                "string -> bool",
                args -> ip(args[0]).toString().equals(args[0]));
        functions.global("string", "ip -> string", args -> args[0].toString());
        functions.member("family", "ip -> int", args -> ((Ip) args[0]).isFour() ? 4L : 6L);
        addQuestion(functions, "isUnspecified", ip -> ip.address().isAnyLocalAddress());
        addQuestion(functions, "isLoopback", ip -> ip.address().isLoopbackAddress());
        addQuestion(functions, "isLinkLocalMulticast", Ip::isLinkLocalMulticast);
        addQuestion(functions, "isLinkLocalUnicast", ip -> ip.address().isLinkLocalAddress());
        addQuestion(functions, "isGlobalUnicast", Ip::isGlobalUnicast);
        functions.global("cidr", "string -> cidr", args -> cidr(args[0]));
        functions.global("isCIDR", "string -> bool", args -> Cidr.parse((String) args[0]) != null);
        functions.global("string", "cidr -> string", args -> args[0].toString());
        functions.member("ip", "cidr -> ip", args -> ((Cidr) args[0]).ip());
        functions.member("prefixLength", "cidr -> int", args -> (long) ((Cidr) args[0]).bits());
        functions.member("masked", "cidr -> cidr", args -> ((Cidr) args[0]).masked());
        functions.member("containsIP", "cidr, ip -> bool", args -> ((Cidr) args[0]).contains((Ip) args[1]));
        functions.member("containsIP", "cidr, string -> bool", args -> ((Cidr) args[0]).contains(ip(args[1])));
        functions.member("containsCIDR", "cidr, cidr -> bool", args -> ((Cidr) args[0]).contains((Cidr) args[1]));
        functions.member("containsCIDR", "cidr, string -> bool", args -> ((Cidr) args[0]).contains(cidr(args[1])));
    }

    @SuppressWarnings("Immutable") // questions are methods of addresses
    private static void addQuestion(KubernetesFunctions functions, String name, Predicate<Ip> question) {
        functions.member(name, "ip -> bool", args -> question.test((Ip) args[0]));
    }

    private static Ip ip(Object text) {
        Ip ip = Ip.parse((String) text);
        if (ip == null) {
            throw new IllegalArgumentException("IP address \"" + text + "\" parse error during conversion from string");
        }
        return ip;
    }

    private static Cidr cidr(Object text) {
        Cidr cidr = Cidr.parse((String) text);
        if (cidr == null) {
            throw new IllegalArgumentException("network address parse error during conversion from string: " + text);
        }
        return cidr;
    }
}
