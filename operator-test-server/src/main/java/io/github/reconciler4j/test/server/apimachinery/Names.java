package io.github.reconciler4j.test.server.apimachinery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The server's rules for names and labels. Each check returns what is wrong in the server's words, and an empty list if
 * nothing is. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class Names {

    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;

    private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String DNS_SUBDOMAIN = DNS_LABEL + "(\\." + DNS_LABEL + ")*";
    private static final String DNS_1035_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String LABEL_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String LABEL_VALUE = "(" + LABEL_NAME + ")?";

    private static final Pattern DNS_LABEL_PATTERN = Pattern.compile(DNS_LABEL);
    private static final Pattern DNS_SUBDOMAIN_PATTERN = Pattern.compile(DNS_SUBDOMAIN);
    private static final Pattern DNS_1035_LABEL_PATTERN = Pattern.compile(DNS_1035_LABEL);
    private static final Pattern LABEL_NAME_PATTERN = Pattern.compile(LABEL_NAME);
    private static final Pattern LABEL_VALUE_PATTERN = Pattern.compile(LABEL_VALUE);

    private static final String ALPHANUMERIC =
            " alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

    private Names() {}

    /** Checks a lowercase RFC 1123 label, the form of namespace names. */
    public static List<String> dnsLabel(String value) {
        List<String> errors = new ArrayList<>(tooLong(value, MAX_LABEL));
        if (!DNS_LABEL_PATTERN.matcher(value).matches()) {
            errors.add(
                    DNS_SUBDOMAIN_PATTERN.matcher(value).matches()
                            ? "must not contain dots"
                            : regex(
                                    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or "
                                            + "'-', and must start and end with an alphanumeric character",
                                    DNS_LABEL,
                                    "my-name",
                                    "123-abc"));
        }
        return errors;
    }

    /** Checks a lowercase RFC 1123 subdomain, the form of most object names. */
    public static List<String> dnsSubdomain(String value) {
        List<String> errors = new ArrayList<>(tooLong(value, MAX_SUBDOMAIN));
        if (!DNS_SUBDOMAIN_PATTERN.matcher(value).matches()) {
            errors.add(regex(
                    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
                            + "and must start and end with an alphanumeric character",
                    DNS_SUBDOMAIN,
                    "example.com"));
        }
        return errors;
    }

    /** Checks an RFC 1035 label, the form of service names and of plurals of custom resources. */
    public static List<String> dns1035Label(String value) {
        List<String> errors = new ArrayList<>(tooLong(value, MAX_LABEL));
        if (!DNS_1035_LABEL_PATTERN.matcher(value).matches()) {
            errors.add(regex(
                    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
                            + "alphabetic character, and end with an alphanumeric character",
                    DNS_1035_LABEL,
                    "my-name",
                    "abc-123"));
        }
        return errors;
    }

    /** Checks the key of a label or annotation: an optional DNS prefix with a slash, and a name. */
    public static List<String> labelKey(String value) {
        String[] parts = value.split("/", -1);
        String hint = regex("must consist of" + ALPHANUMERIC, LABEL_NAME, "MyName", "my.name", "123-abc");
        if (parts.length > 2) {
            return List.of("a valid label key " + hint
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        List<String> errors = new ArrayList<>();
        if (parts.length == 2 && parts[0].isEmpty()) {
            errors.add("prefix part must be non-empty");
        } else if (parts.length == 2) {
            dnsSubdomain(parts[0]).forEach(error -> errors.add("prefix part " + error));
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            errors.add("name part must be non-empty");
        }
        tooLong(name, MAX_LABEL).forEach(error -> errors.add("name part " + error));
        if (!LABEL_NAME_PATTERN.matcher(name).matches()) {
            errors.add("name part " + hint);
        }
        return errors;
    }

    /** Checks the value of a label. */
    public static List<String> labelValue(String value) {
        List<String> errors = new ArrayList<>(tooLong(value, MAX_LABEL));
        if (!LABEL_VALUE_PATTERN.matcher(value).matches()) {
            errors.add(regex(
                    "a valid label must be an empty string or consist of" + ALPHANUMERIC,
                    LABEL_VALUE,
                    "MyValue",
                    "my_value",
                    "12345"));
        }
        return errors;
    }

    private static List<String> tooLong(String value, int max) {
        return value.getBytes(StandardCharsets.UTF_8).length > max
                ? List.of("must be no more than " + max + " bytes")
                : List.of();
    }

    private static String regex(String message, String regex, String... examples) {
        StringBuilder text = new StringBuilder(message).append(" (e.g. ");
        for (int i = 0; i < examples.length; i++) {
            text.append(i > 0 ? " or '" : "'").append(examples[i]).append("', ");
        }
        return text.append("regex used for validation is '")
                .append(regex)
                .append("')")
                .toString();
    }

    /** Return a prefix of a name such that the checks of names apply to it: it may end with a dash. */
    public static String maskedPrefix(String prefix) {
        return prefix.length() > 1 && prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 2) + "a" : prefix;
    }
}
