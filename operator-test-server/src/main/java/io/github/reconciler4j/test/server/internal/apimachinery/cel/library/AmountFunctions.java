package io.github.reconciler4j.test.server.internal.apimachinery.cel.library;

import io.github.reconciler4j.test.server.internal.apimachinery.schema.Quantities;
import java.math.BigDecimal;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.semver4j.Semver;

/** Quantities and semantic versions. */
final class AmountFunctions {
    private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final Pattern LEADING_ZEROS = Pattern.compile("(?<=^|\\.)0+(?=[0-9])");
    private static final Pattern SHORT_VERSION = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    /** A quantity such as {@code 1Gi}. It equals another of the same value with another spelling. */
    record Quantity(BigDecimal value) implements Comparable<Quantity> {
        Quantity(BigDecimal value) {
            this.value = value.stripTrailingZeros();
        }

        boolean isInteger() {
            return value.scale() <= 0 && value.compareTo(LEAST) >= 0 && value.compareTo(MOST) <= 0;
        }

        long asInteger() {
            if (!isInteger()) {
                throw new IllegalArgumentException("cannot convert value to integer");
            }
            return value.longValueExact();
        }

        @Override
        public int compareTo(Quantity other) {
            return value.compareTo(other.value);
        }
    }

    /** A semantic version. The build metadata, after a plus sign, does not count. */
    record Version(Semver semver) implements Comparable<Version> {
        @Override
        public int compareTo(Version other) {
            return semver.compareTo(other.semver);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Version version && compareTo(version) == 0;
        }

        @Override
        public int hashCode() {
            return semver.getVersion().replaceFirst("\\+.*", "").hashCode();
        }
    }

    private AmountFunctions() {}

    static void addTo(KubernetesFunctions functions) {
        addQuantities(functions);
        functions.global("semver", "string -> semver", args -> version((String) args[0], false));
        functions.global("semver", "string, bool -> semver", args -> version((String) args[0], (Boolean) args[1]));
        functions.global("isSemver", "string -> bool", args -> parsed((String) args[0], false) != null);
        functions.global(
                "isSemver", "string, bool -> bool", args -> parsed((String) args[0], (Boolean) args[1]) != null);
        functions.member("major", "semver -> int", args -> (long) semver(args).getMajor());
        functions.member("minor", "semver -> int", args -> (long) semver(args).getMinor());
        functions.member("patch", "semver -> int", args -> (long) semver(args).getPatch());
        addComparisons(functions, "semver");
    }

    private static void addQuantities(KubernetesFunctions functions) {
        functions.global(
                "quantity",
                "string -> quantity",
                args -> new Quantity(Quantities.value((String) args[0])
                        .orElseThrow(() -> new IllegalArgumentException("quantities must match the regular expression"
                                + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"))));
        functions.global(
                "isQuantity",
                "string -> bool",
                args -> Quantities.value((String) args[0]).isPresent());
        functions.global(
                "sign", "quantity -> int", args -> (long) value(args, 0).signum());
        functions.member("isInteger", "quantity -> bool", args -> ((Quantity) args[0]).isInteger());
        functions.member("asInteger", "quantity -> int", args -> ((Quantity) args[0]).asInteger());
        functions.member(
                "asApproximateFloat",
                "quantity -> double",
                args -> value(args, 0).doubleValue());
        functions.member(
                "add",
                "quantity, quantity -> quantity",
                args -> new Quantity(value(args, 0).add(value(args, 1))));
        functions.member(
                "add",
                "quantity, int -> quantity",
                args -> new Quantity(value(args, 0).add(BigDecimal.valueOf((Long) args[1]))));
        functions.member(
                "sub",
                "quantity, quantity -> quantity",
                args -> new Quantity(value(args, 0).subtract(value(args, 1))));
        functions.member(
                "sub",
                "quantity, int -> quantity",
                args -> new Quantity(value(args, 0).subtract(BigDecimal.valueOf((Long) args[1]))));
        addComparisons(functions, "quantity");
    }

    private static void addComparisons(KubernetesFunctions functions, String type) {
        String two = type + ", " + type + " -> ";
        functions.member("compareTo", two + "int", args -> (long) order(args));
        addComparison(functions, "isLessThan", two, order -> order < 0);
        addComparison(functions, "isGreaterThan", two, order -> order > 0);
    }

    @SuppressWarnings("Immutable") // tests are functions of a number
    private static void addComparison(
            KubernetesFunctions functions, String name, String parameters, Predicate<Integer> test) {
        functions.member(name, parameters + "bool", args -> test.test(order(args)));
    }

    @SuppressWarnings("unchecked")
    private static int order(Object[] args) {
        return Integer.signum(((Comparable<Object>) args[0]).compareTo(args[1]));
    }

    private static BigDecimal value(Object[] args, int index) {
        return ((Quantity) args[index]).value();
    }

    private static Semver semver(Object[] args) {
        return ((Version) args[0]).semver();
    }

    private static Version version(String text, boolean tolerant) {
        Semver version = parsed(text, tolerant);
        if (version == null) {
            throw new IllegalArgumentException(
                    text.isEmpty() ? "Version string empty" : "No Major.Minor.Patch elements found");
        }
        return new Version(version);
    }

    /** Return a version, or null. A tolerant version may start with {@code v}, have leading zeros, and lack its last parts. */
    private static @Nullable Semver parsed(String text, boolean tolerant) {
        if (!tolerant) {
            return text.startsWith("v") ? null : Semver.parse(text);
        }
        String plain = LEADING_ZEROS
                .matcher(text.startsWith("v") ? text.substring(1) : text)
                .replaceAll("");
        while (SHORT_VERSION.matcher(plain).matches()) {
            plain += ".0";
        }
        return Semver.parse(plain);
    }
}
