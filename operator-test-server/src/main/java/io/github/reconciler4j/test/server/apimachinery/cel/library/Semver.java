package io.github.reconciler4j.test.server.apimachinery.cel.library;

import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A semantic version; what is built from it (after a plus) does not count. Immutable. */
record Semver(long major, long minor, long patch, List<String> before) implements Comparable<Semver> {
    private static final String NUMBER = "(0|[1-9][0-9]*)";
    private static final String PART = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
    private static final Pattern FORM = Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-(" + PART
            + "(?:\\." + PART + ")*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?");
    private static final int PARTS = 3;

    /** Reads a version; null if it is none. */
    static @Nullable Semver parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        try {
            List<String> before = matcher.group(PARTS + 1) == null
                    ? List.of()
                    : List.of(matcher.group(PARTS + 1).split("\\."));
            return new Semver(
                    Long.parseLong(matcher.group(1)),
                    Long.parseLong(matcher.group(2)),
                    Long.parseLong(matcher.group(PARTS)),
                    before);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Reads a version with a {@code v} before it, zeros in front, or parts missing. */
    static @Nullable Semver parseTolerant(String text) {
        String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", PARTS);
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i].length() > 1 ? parts[i].replaceFirst("^0+", "") : parts[i];
            boolean number = !part.isEmpty() && Character.isDigit(part.charAt(0));
            parts[i] = number || parts[i].length() <= 1 ? part : "0" + part;
        }
        String last = parts[parts.length - 1];
        if (parts.length < PARTS && (last.contains("+") || last.contains("-"))) {
            return null;
        }
        return parse(String.join(".", parts) + ".0".repeat(PARTS - parts.length));
    }

    @Override
    public int compareTo(Semver other) {
        int order = Long.compare(major, other.major);
        order = order != 0 ? order : Long.compare(minor, other.minor);
        order = order != 0 ? order : Long.compare(patch, other.patch);
        if (order != 0 || before.isEmpty() || other.before.isEmpty()) {
            return order != 0 ? order : Boolean.compare(before.isEmpty(), other.before.isEmpty());
        }
        for (int i = 0; i < Math.min(before.size(), other.before.size()); i++) {
            int part = compare(before.get(i), other.before.get(i));
            if (part != 0) {
                return part;
            }
        }
        return Integer.compare(before.size(), other.before.size());
    }

    private static int compare(String one, String other) {
        boolean number = one.matches("[0-9]+");
        boolean otherNumber = other.matches("[0-9]+");
        if (number && otherNumber) {
            return new BigInteger(one).compareTo(new BigInteger(other));
        }
        return number == otherNumber ? Integer.signum(one.compareTo(other)) : number ? -1 : 1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Semver version && compareTo(version) == 0;
    }

    @Override
    public int hashCode() {
        return Objects.hash(major, minor, patch, before);
    }
}
