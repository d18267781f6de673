package io.github.reconciler4j.support;

import java.util.regex.Pattern;

/**
 * Checks names by the rules of the API server. A namespace and a Service are named by a DNS label, most other objects by a DNS
 * subdomain: labels with dots between them.
 *
 * @since 0.1.0
 */
public final class DnsNames {

    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_SUBDOMAIN = 253;
    private static final String LABEL_TEXT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern LABEL = Pattern.compile(LABEL_TEXT);
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL_TEXT + "(\\." + LABEL_TEXT + ")*");

    private DnsNames() {}

    /**
     * Return a name that a namespace or a Service can have.
     *
     * @param what the meaning of the name, for the error
     * @throws IllegalArgumentException if it is not a DNS label
     */
    public static String checkLabel(String what, String name) {
        return check(what, name, LONGEST_LABEL, LABEL, "'-'");
    }

    /**
     * Return a name that an object can have.
     *
     * @param what the meaning of the name, for the error
     * @throws IllegalArgumentException if it is not a DNS subdomain
     */
    public static String checkSubdomain(String what, String name) {
        return check(what, name, LONGEST_SUBDOMAIN, SUBDOMAIN, "'-' and '.'");
    }

    /**
     * Return a name that an object can have, with or without its namespace and a slash before it.
     *
     * @param what the meaning of the name, for the error
     * @throws IllegalArgumentException if the name is not a DNS subdomain, or the namespace not a DNS label
     */
    public static String checkQualified(String what, String name) {
        int slash = name.indexOf('/');
        if (slash >= 0) {
            checkLabel("namespace of " + what, name.substring(0, slash));
        }
        checkSubdomain(what, name.substring(slash + 1));
        return name;
    }

    /**
     * Return the name of an object after its namespace and a slash.
     *
     * @param what the meaning of the name, for the error
     * @throws IllegalArgumentException if there is no namespace, or if {@link #checkQualified} does not accept the name
     */
    public static String checkNamespaced(String what, String name) {
        if (checkQualified(what, name).indexOf('/') < 0) {
            throw new IllegalArgumentException(
                    "'" + what + "' must have a namespace, such as shop/orders, was '" + name + "'");
        }
        return name;
    }

    /** The length comes first, because the patterns use the stack. */
    private static String check(String what, String name, int longest, Pattern valid, String between) {
        if (name.length() > longest) {
            throw new IllegalArgumentException(
                    "'" + what + "' must have at most " + longest + " characters, had " + name.length());
        }
        if (!valid.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + what + "' must consist of lower-case letters and digits, with "
                    + between + " between them, was '" + printable(name) + "'");
        }
        return name;
    }

    /** What is not ASCII may look like another character, or change the line that it is in. */
    private static String printable(String name) {
        StringBuilder text = new StringBuilder();
        name.chars().forEach(c -> text.append(c >= ' ' && c <= '~' ? String.valueOf((char) c) : "?"));
        return text.toString();
    }
}
