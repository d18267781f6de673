package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts what one run of an expression costs, and ends it when that is too much. For one thread.
 *
 * @since 0.1.0
 */
public final class CostMeter implements CelEvaluationListener {
    /** What one run may cost. */
    private static final long LIMIT = 1_000_000;

    /**
     * A run that costs too much.
     *
     * @since 0.1.0
     */
    public static final class ExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ExceededException() {
            super("operation cancelled: actual cost limit exceeded", null, false, false);
        }
    }

    private final Map<Long, Object> values = new HashMap<>();
    private long cost;

    /** Nothing so far. */
    public CostMeter() {}

    /** Whether a run that costs {@code most} can be let go without counting. */
    public static boolean isHarmless(long most) {
        return most <= LIMIT;
    }

    /** What the run has cost so far. */
    public long cost() {
        return cost;
    }

    /**
     * Takes a part of the expression and its value into account.
     *
     * @throws ExceededException if the run costs too much
     */
    @Override
    public void callback(CelExpr expression, Object value) {
        values.put(expression.id(), value);
        cost += switch (expression.getKind()) {
            case IDENT -> 1;
            case SELECT -> expression.select().testOnly() ? 0 : 1;
            case LIST -> Units.LIST;
            case MAP -> Units.MAP;
            case STRUCT -> Units.STRUCT;
            case CALL -> call(expression.call(), value);
            default -> 0;
        };
        if (cost > LIMIT) {
            throw new ExceededException();
        }
    }

    private long call(CelExpr.CelCall call, Object result) {
        List<Object> arguments = new ArrayList<>();
        call.target().ifPresent(target -> add(target, arguments));
        call.args().forEach(argument -> add(argument, arguments));
        return RunCosts.cost(call.function(), arguments, result);
    }

    private void add(CelExpr expression, List<Object> arguments) {
        Object value = values.get(expression.id());
        if (value != null) {
            arguments.add(value);
        }
    }
}
