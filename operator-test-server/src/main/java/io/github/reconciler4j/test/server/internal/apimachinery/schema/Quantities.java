package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amounts such as {@code 500m} and {@code 1Gi}, as the API server reads and spells them. Safe for use by multiple threads.
 */
public final class Quantities {
    private static final Pattern FORM =
            Pattern.compile("([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?");
    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final BigDecimal STEP = BigDecimal.valueOf(1024);
    private static final int FINEST = 9;
    private static final int THREE = 3;

    private Quantities() {}

    /** Return the amount as a number; empty if the text is no quantity. */
    public static Optional<BigDecimal> value(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        String suffix = matcher.group(2) == null ? "" : matcher.group(2);
        return Optional.of(number.multiply(factor(suffix)).stripTrailingZeros());
    }

    /** Return the amount as a number; zero if the text is no quantity. */
    public static BigDecimal number(String text) {
        return value(text).orElse(BigDecimal.ZERO);
    }

    public static int compare(String one, String other) {
        return number(one).compareTo(number(other));
    }

    /** Return the sum of two amounts, spelled like the first one that is not zero. */
    public static String sum(String one, String other) {
        BigDecimal first = number(one);
        return spelled(first.signum() == 0 ? other : one, first.add(number(other)));
    }

    private static BigDecimal factor(String suffix) {
        if (suffix.endsWith("i")) {
            return STEP.pow(BINARY.indexOf(suffix));
        }
        int decimal = DECIMAL.indexOf(suffix);
        return decimal >= 0
                ? BigDecimal.ONE.scaleByPowerOfTen(THREE * decimal - FINEST)
                : BigDecimal.ONE.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
    }

    /** Return the text in the server's spelling, such as {@code 1Gi} for {@code 1024Mi}; empty if it is no quantity. */
    public static Optional<String> canonical(String text) {
        return value(text)
                .map(value ->
                        spelled(text, value.setScale(Math.min(FINEST, Math.max(0, value.scale())), RoundingMode.UP)));
    }

    private static String spelled(String text, BigDecimal value) {
        if (value.signum() == 0) {
            return "0";
        }
        boolean binary = text.endsWith("i") && value.abs().compareTo(STEP) >= 0;
        if (binary) {
            return binary(value.setScale(0, RoundingMode.UP).toBigIntegerExact());
        }
        BigDecimal plain = value.stripTrailingZeros();
        int exponent = Math.floorDiv(-plain.scale(), THREE) * THREE;
        Matcher matcher = FORM.matcher(text);
        boolean scientific = matcher.matches()
                && matcher.group(2) != null
                && matcher.group(2).length() > 1
                && !text.endsWith("i");
        BigInteger mantissa;
        if (scientific) {
            mantissa = plain.scaleByPowerOfTen(-exponent).toBigIntegerExact();
            return exponent == 0 ? mantissa.toString() : mantissa + "e" + exponent;
        }
        exponent = Math.min(exponent, THREE * (DECIMAL.size() - 1) - FINEST);
        mantissa = plain.scaleByPowerOfTen(-exponent).toBigIntegerExact();
        return mantissa + DECIMAL.get((exponent + FINEST) / THREE);
    }

    private static String binary(BigInteger value) {
        BigInteger step = STEP.toBigIntegerExact();
        int unit = 0;
        BigInteger left = value;
        while (unit < BINARY.size() - 1 && left.mod(step).signum() == 0) {
            left = left.divide(step);
            unit++;
        }
        return left + BINARY.get(unit);
    }
}
