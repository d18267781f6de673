package io.github.reconciler4j.test.server.internal.apimachinery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The rules for names and labels. Each check returns the problems of a value, or an empty list if it is valid. Safe for
 * use by multiple threads.
 */
public final class Names {
    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern DNS_LABEL = Pattern.compile(LABEL);
    private static final Pattern DNS_SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern DNS_1035_LABEL = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern QUALIFIED_NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final String QUALIFIED =
            " alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

    private Names() {}

    /** Check a lowercase RFC 1123 label, the form of namespace names. */
    public static List<String> dnsLabel(String value) {
        List<String> problems = tooLong(value, MAX_LABEL);
        if (!DNS_LABEL.matcher(value).matches()) {
            problems.add(
                    DNS_SUBDOMAIN.matcher(value).matches()
                            ? "must not contain dots"
                            : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
                                    + " must start and end with an alphanumeric character (e.g. 'my-name')");
        }
        return problems;
    }

    /** Check a lowercase RFC 1123 subdomain, the form of most object names. */
    public static List<String> dnsSubdomain(String value) {
        List<String> problems = tooLong(value, MAX_SUBDOMAIN);
        if (!DNS_SUBDOMAIN.matcher(value).matches()) {
            problems.add(
                    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',"
                            + " and must start and end with an alphanumeric character (e.g. 'example.com')");
        }
        return problems;
    }

    /** Check an RFC 1035 label, the form of service names and of plurals of custom resources. */
    public static List<String> dns1035Label(String value) {
        List<String> problems = tooLong(value, MAX_LABEL);
        if (!DNS_1035_LABEL.matcher(value).matches()) {
            problems.add("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
                    + " alphabetic character, and end with an alphanumeric character (e.g. 'my-name')");
        }
        return problems;
    }

    /** Check a name that is a segment of a path, the form of role names. */
    public static List<String> pathSegment(String value) {
        if (value.equals(".") || value.equals("..")) {
            return List.of("may not be '" + value + "'");
        }
        List<String> problems = new ArrayList<>();
        for (String character : List.of("/", "%")) {
            if (value.contains(character)) {
                problems.add("may not contain '" + character + "'");
            }
        }
        return problems;
    }

    /** Check the key of a label or annotation, or a finalizer: an optional DNS prefix with a slash, and a name. */
    public static List<String> labelKey(String value) {
        String[] parts = value.split("/", -1);
        if (parts.length > 2) {
            return List.of("a valid label key must consist of" + QUALIFIED
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        List<String> problems = new ArrayList<>();
        if (parts.length == 2 && parts[0].isEmpty()) {
            problems.add("prefix part must be non-empty");
        } else if (parts.length == 2) {
            dnsSubdomain(parts[0]).forEach(problem -> problems.add("prefix part " + problem));
        }
        String name = parts[parts.length - 1];
        tooLong(name, MAX_LABEL).forEach(problem -> problems.add("name part " + problem));
        if (!QUALIFIED_NAME.matcher(name).matches()) {
            problems.add(name.isEmpty() ? "name part must be non-empty" : "name part must consist of" + QUALIFIED);
        }
        return problems;
    }

    public static List<String> labelValue(String value) {
        List<String> problems = tooLong(value, MAX_LABEL);
        if (!value.isEmpty() && !QUALIFIED_NAME.matcher(value).matches()) {
            problems.add("a valid label must be an empty string or consist of" + QUALIFIED + " (e.g. 'MyValue')");
        }
        return problems;
    }

    /** Return a prefix of a name such that the checks of names apply to it: it may end with a dash. */
    public static String maskedPrefix(String prefix) {
        return prefix.length() > 1 && prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 2) + "a" : prefix;
    }

    private static List<String> tooLong(String value, int max) {
        List<String> problems = new ArrayList<>();
        if (value.getBytes(StandardCharsets.UTF_8).length > max) {
            problems.add("must be no more than " + max + " bytes");
        }
        return problems;
    }
}
