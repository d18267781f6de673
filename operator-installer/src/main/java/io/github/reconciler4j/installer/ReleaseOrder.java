package io.github.reconciler4j.installer;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of versions of an operator: 1.9.0, 1.10.0-SNAPSHOT, 1.10.0-rc.1, 1.10.0; what follows a plus does not count. Immutable.
 */
final class ReleaseOrder implements Comparator<String> {

    private static final Pattern PART = Pattern.compile("[0-9]+|[A-Za-z]+");

    @Override
    public int compare(String one, String other) {
        String[] first = one.split("\\+", 2)[0].split("-", 2);
        String[] second = other.split("\\+", 2)[0].split("-", 2);
        int numbers = compareParts(first[0], second[0]);
        if (numbers != 0 || first.length == 1 && second.length == 1) {
            return numbers;
        }
        if (first.length == 1 || second.length == 1) {
            return first.length == 1 ? 1 : -1;
        }
        return compareQualifiers(first[1], second[1]);
    }

    /** A snapshot comes before the candidates and milestones of the same release. */
    private static int compareQualifiers(String one, String other) {
        boolean first = one.equals("SNAPSHOT");
        boolean second = other.equals("SNAPSHOT");
        return first == second ? compareParts(one, other) : first ? -1 : 1;
    }

    private static int compareParts(String one, String other) {
        Matcher first = PART.matcher(one);
        Matcher second = PART.matcher(other);
        while (true) {
            boolean hasFirst = first.find();
            boolean hasSecond = second.find();
            if (!hasFirst && !hasSecond) {
                return 0;
            }
            int difference = comparePart(hasFirst ? first.group() : "0", hasSecond ? second.group() : "0");
            if (difference != 0) {
                return difference;
            }
        }
    }

    private static int comparePart(String one, String other) {
        boolean first = Character.isDigit(one.charAt(0));
        boolean second = Character.isDigit(other.charAt(0));
        if (first && second) {
            return new BigInteger(one).compareTo(new BigInteger(other));
        }
        return first != second ? first ? 1 : -1 : one.compareTo(other);
    }
}
