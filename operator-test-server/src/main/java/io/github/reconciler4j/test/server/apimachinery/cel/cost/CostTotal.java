package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What all rules of a schema cost at most in one request, and what the server says of those that cost too much. For one
 * thread.
 *
 * @since 0.1.0
 */
public final class CostTotal {
    /** What one expression may cost. */
    private static final long EXPRESSION_LIMIT = 10_000_000;
    /** What all rules of a schema may cost. */
    private static final long SCHEMA_LIMIT = 100_000_000;

    private static final long WORTH_NAMING = SCHEMA_LIMIT / 100;
    private static final int NAMED = 4;
    private static final double MANY = 100;
    private static final double NEARLY_ONE = 1.5;

    private record Part(String path, long cost) {}

    private final List<Part> parts = new ArrayList<>();
    private long total;

    /** Nothing so far. */
    public CostTotal() {}

    /** What all cost together; {@link Long#MAX_VALUE} if that is not limited. */
    public long total() {
        return total;
    }

    /**
     * Adds an expression.
     *
     * @param path where it is
     * @param name how it is called in errors
     * @param cost what it costs in a request
     * @param errors takes an error if that is too much
     */
    public void add(String path, String name, long cost, List<FieldError> errors) {
        if (cost > EXPRESSION_LIMIT) {
            errors.add(FieldError.forbidden(path, exceeded("estimated " + name + " cost", cost, EXPRESSION_LIMIT)));
        }
        total = Range.add(total, cost);
        if (cost >= WORTH_NAMING) {
            parts.add(new Part(path, cost));
        }
    }

    /** Adds errors if all together cost too much; {@code path} is that of the schema. */
    public void check(String path, List<FieldError> errors) {
        if (total <= SCHEMA_LIMIT) {
            return;
        }
        parts.stream()
                .sorted(Comparator.comparingLong(Part::cost).reversed())
                .limit(NAMED)
                .forEach(part -> errors.add(FieldError.forbidden(
                        part.path(),
                        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema")));
        errors.add(FieldError.forbidden(
                path,
                exceeded(
                        "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
                        total,
                        SCHEMA_LIMIT)));
    }

    private static String exceeded(String name, long cost, long limit) {
        double factor = (double) cost / limit;
        String spelled = factor > MANY
                ? "more than 100"
                : String.format(Locale.ROOT, factor < NEARLY_ONE ? "%f" : "%.1f", factor);
        return name + " exceeds budget by factor of " + spelled + "x (try simplifying the rule, or adding maxItems,"
                + " maxProperties, and maxLength where arrays, maps, and strings are declared)";
    }
}
