package io.github.reconciler4j.test.server.apimachinery.cel.library;

import dev.cel.common.types.SimpleType;
import java.util.function.Predicate;

/** IP addresses and ranges of them. */
final class IpFunctions {
    private IpFunctions() {}

    static void addTo(FunctionTable functions) {
        functions.global("ip", "string_to_ip", Types.IP, args -> ip(args, 0), SimpleType.STRING);
        functions.global(
                "isIP", "is_ip", SimpleType.BOOL, args -> problem((String) args[0]) == null, SimpleType.STRING);
        functions.global(
                "ip.isCanonical",
                "ip_is_canonical",
                SimpleType.BOOL,
                args -> ip(args, 0).toString().equals(args[0]),
                SimpleType.STRING);
        functions.global("string", "ip_to_string", SimpleType.STRING, args -> args[0].toString(), Types.IP);
        functions.member(
                "family", "ip_family", SimpleType.INT, args -> ((IpAddress) args[0]).isFour() ? 4L : 6L, Types.IP);
        addQuestion(functions, "isUnspecified", "ip_is_unspecified", IpAddress::isUnspecified);
        addQuestion(functions, "isLoopback", "ip_is_loopback", IpAddress::isLoopback);
        addQuestion(functions, "isLinkLocalMulticast", "ip_is_link_local_multicast", IpAddress::isLinkLocalMulticast);
        addQuestion(functions, "isLinkLocalUnicast", "ip_is_link_local_unicast", IpAddress::isLinkLocalUnicast);
        addQuestion(functions, "isGlobalUnicast", "ip_is_global_unicast", IpAddress::isGlobalUnicast);
        addRanges(functions);
        addContents(functions);
    }

    @SuppressWarnings("Immutable") // questions are methods of addresses
    private static void addQuestion(FunctionTable functions, String name, String id, Predicate<IpAddress> question) {
        functions.member(name, id, SimpleType.BOOL, args -> question.test((IpAddress) args[0]), Types.IP);
    }

    private static void addRanges(FunctionTable functions) {
        functions.global("cidr", "string_to_cidr", Types.CIDR, args -> cidr(args, 0), SimpleType.STRING);
        functions.global("isCIDR", "is_cidr", SimpleType.BOOL, args -> isCidr((String) args[0]), SimpleType.STRING);
        functions.global("string", "cidr_to_string", SimpleType.STRING, args -> args[0].toString(), Types.CIDR);
        functions.member("ip", "cidr_ip", Types.IP, args -> ((Cidr) args[0]).address(), Types.CIDR);
        functions.member(
                "prefixLength",
                "cidr_prefix_length",
                SimpleType.INT,
                args -> (long) ((Cidr) args[0]).bits(),
                Types.CIDR);
        functions.member("masked", "cidr_masked", Types.CIDR, args -> ((Cidr) args[0]).masked(), Types.CIDR);
    }

    private static void addContents(FunctionTable functions) {
        functions.member(
                "containsIP",
                "cidr_contains_ip_ip",
                SimpleType.BOOL,
                args -> ((Cidr) args[0]).contains((IpAddress) args[1]),
                Types.CIDR,
                Types.IP);
        functions.member(
                "containsIP",
                "cidr_contains_ip_string",
                SimpleType.BOOL,
                args -> ((Cidr) args[0]).contains(ip(args, 1)),
                Types.CIDR,
                SimpleType.STRING);
        functions.member(
                "containsCIDR",
                "cidr_contains_cidr",
                SimpleType.BOOL,
                args -> ((Cidr) args[0]).contains((Cidr) args[1]),
                Types.CIDR,
                Types.CIDR);
        functions.member(
                "containsCIDR",
                "cidr_contains_cidr_string",
                SimpleType.BOOL,
                args -> ((Cidr) args[0]).contains(cidr(args, 1)),
                Types.CIDR,
                SimpleType.STRING);
    }

    private static IpAddress ip(Object[] args, int index) {
        String text = (String) args[index];
        String problem = problem(text);
        IpAddress address = IpAddress.parse(text);
        if (problem != null || address == null) {
            throw new IllegalArgumentException(problem);
        }
        return address;
    }

    private static @org.jspecify.annotations.Nullable String problem(String text) {
        if (text.contains("%") && IpAddress.parse(text.substring(0, text.indexOf('%'))) != null) {
            return "IP address \"" + text + "\" with zone value is not allowed";
        }
        IpAddress address = IpAddress.parse(text);
        if (address == null) {
            return "IP Address \"" + text + "\" parse error during conversion from string: ParseAddr(\"" + text
                    + "\"): unable to parse IP";
        }
        return address.isMapped() ? "IPv4-mapped IPv6 address \"" + text + "\" is not allowed" : null;
    }

    private static boolean isCidr(String text) {
        Cidr cidr = Cidr.parse(text);
        return cidr != null && !cidr.address().isMapped();
    }

    private static Cidr cidr(Object[] args, int index) {
        String text = (String) args[index];
        Cidr cidr = Cidr.parse(text);
        String problem = "network address parse error during conversion from string: ";
        if (cidr == null) {
            String reason = text.contains("/") ? "ParseAddr" : "no '/'";
            throw new IllegalArgumentException(problem + problem + "netip.ParsePrefix(\"" + text + "\"): " + reason);
        }
        if (cidr.address().isMapped()) {
            throw new IllegalArgumentException(problem + "IPv4-mapped IPv6 address \"" + text + "\" is not allowed");
        }
        return cidr;
    }
}
