package io.github.reconciler4j.test.server.internal.registry;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Orders API versions by preference: {@code v2, v1, v2beta1, v1beta2, v1alpha1}, then everything else by name.
 *
 * @since 0.1.0
 */
public enum VersionOrder implements Comparator<String> {
    /** The only one. */
    INSTANCE;

    private static final Pattern FORM = Pattern.compile("v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?");

    @Override
    public int compare(String one, String other) {
        Matcher first = FORM.matcher(one);
        Matcher second = FORM.matcher(other);
        boolean firstFits = first.matches();
        boolean secondFits = second.matches();
        if (!firstFits || !secondFits) {
            return firstFits == secondFits ? one.compareTo(other) : firstFits ? -1 : 1;
        }
        int byStability = Integer.compare(stability(second), stability(first));
        if (byStability != 0) {
            return byStability;
        }
        int byMajor = Long.compare(number(second.group(1)), number(first.group(1)));
        return byMajor != 0 ? byMajor : Long.compare(number(second.group(3)), number(first.group(3)));
    }

    private static int stability(Matcher version) {
        String word = version.group(2);
        return word == null ? 2 : word.equals("beta") ? 1 : 0;
    }

    private static long number(String digits) {
        return digits == null ? 0 : digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
    }
}
