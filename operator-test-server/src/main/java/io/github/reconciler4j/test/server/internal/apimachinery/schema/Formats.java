package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.google.common.net.InetAddresses;
import com.google.re2j.Pattern;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The formats of texts that the server checks. Safe for use by multiple threads. */
public final class Formats {

    private static final Map<String, Predicate<String>> CHECKS = Map.ofEntries(
            Map.entry("uri", Formats::isUri),
            Map.entry("email", matches("[^\\s@<>(),;:\\\\\"\\[\\]]+@[^\\s@<>(),;:\\\\\"]+|.*<[^\\s@<>]+@[^\\s@<>]+>")),
            Map.entry("hostname", Formats::isHostname),
            Map.entry("ipv4", text -> isIp(text) && text.contains(".")),
            Map.entry("ipv6", text -> isIp(text) && text.contains(":")),
            Map.entry("cidr", Formats::isCidr),
            Map.entry(
                    "mac",
                    matches("([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}|([0-9a-fA-F]{2}[:-]){7}[0-9a-fA-F]{2}"
                            + "|([0-9a-fA-F]{4}\\.){2}[0-9a-fA-F]{4}|([0-9a-fA-F]{4}\\.){3}[0-9a-fA-F]{4}")),
            Map.entry("uuid", uuid("[0-9a-f]{4}", "[0-9a-f]{4}")),
            Map.entry("uuid3", uuid("3[0-9a-f]{3}", "[0-9a-f]{4}")),
            Map.entry("uuid4", uuid("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}")),
            Map.entry("uuid5", uuid("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}")),
            Map.entry("byte", Formats::isBase64),
            Map.entry("password", text -> true),
            Map.entry("date", Formats::isDate),
            Map.entry(
                    "duration",
                    matches("[-+]?(0|((\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+)|"
                            + "\\d+\\s*(ns|us|µs|ms|s|m|h|hr|d|w|wk|(nano|micro|milli|sec|min|hour|day|week)\\w*)")),
            Map.entry("datetime", Formats::isDateTime),
            Map.entry("k8sshortname", text -> Names.dnsLabel(text).isEmpty()),
            Map.entry("k8slongname", text -> Names.dnsSubdomain(text).isEmpty()));

    private static final Set<String> UNCHECKED =
            Set.of("bsonobjectid", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor");
    private static final Pattern HOSTNAME =
            Pattern.compile("^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)"
                    + "|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}"
                    + "([a-zA-Z\\p{L}]){2,63})$");
    private static final Pattern TIME =
            Pattern.compile("^([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$");
    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;
    private static final int MAX_HOSTNAME = 255;
    private static final int MAX_HOSTNAME_PART = 63;

    private Formats() {}

    private static Predicate<String> matches(String regex) {
        Pattern pattern = Pattern.compile(regex);
        return text -> pattern.matches(text);
    }

    private static Predicate<String> uuid(String third, String fourth) {
        return matches("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?" + third + "-?" + fourth + "-?[0-9a-f]{12}");
    }

    /** Return a format as the server understands it for values of these types; empty if it ignores it. */
    public static String supported(List<String> types, String format) {
        String type = types.size() == 1 ? types.get(0) : "";
        return switch (type) {
            case "", "string" -> CHECKS.containsKey(normalized(format)) || UNCHECKED.contains(format) ? format : "";
            case "integer" -> format.equals("int32") || format.equals("int64") ? format : "";
            case "number" -> format.equals("float") || format.equals("double") ? format : "";
            default -> "";
        };
    }

    /** Return whether a text is of a format; every text is of a format that the server does not check. */
    public static boolean matches(String format, String text) {
        return CHECKS.getOrDefault(normalized(format), ignored -> true).test(text);
    }

    static boolean isKnown(String format) {
        return CHECKS.containsKey(normalized(format));
    }

    private static String normalized(String format) {
        return format.replace("-", "");
    }

    private static boolean isUri(String text) {
        if (text.isEmpty() || text.contains("#") && text.startsWith("#")) {
            return false;
        }
        if (text.startsWith("/")) {
            return true;
        }
        try {
            return new URI(text).isAbsolute();
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean isHostname(String text) {
        if (text.length() > MAX_HOSTNAME || !HOSTNAME.matches(text)) {
            return false;
        }
        return List.of(text.split("\\.", -1)).stream().allMatch(part -> part.length() <= MAX_HOSTNAME_PART);
    }

    /** IPv4 addresses may have leading zeros. */
    private static boolean isIp(String text) {
        return !text.contains("%")
                && InetAddresses.isInetAddress(text.contains(":") ? text : text.replaceAll("\\b0+(?=\\d)", ""));
    }

    private static boolean isCidr(String text) {
        String[] parts = text.split("/", -1);
        return parts.length == 2
                && isIp(parts[0])
                && parts[1].matches("\\d{1,3}")
                && Integer.parseInt(parts[1]) <= (parts[0].contains(":") ? IPV6_BITS : IPV4_BITS);
    }

    private static boolean isBase64(String text) {
        try {
            return text.length() % 4 == 0 && Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isDate(String text) {
        try {
            LocalDate.parse(text);
            return text.length() == "2006-01-02".length();
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static boolean isDateTime(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split("t", -1);
        return parts.length >= 2 && isDate(parts[0]) && TIME.matches(parts[1]);
    }
}
