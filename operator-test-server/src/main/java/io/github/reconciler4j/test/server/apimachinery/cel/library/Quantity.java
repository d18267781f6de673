package io.github.reconciler4j.test.server.apimachinery.cel.library;

import java.math.BigDecimal;

/** An amount such as {@code 1Gi}; equal to another of the same value, however that is spelled. Immutable. */
record Quantity(BigDecimal value) {
    private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

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
}
