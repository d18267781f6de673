package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a function.
 *
 * @param function its name
 * @param overload which of those of that name
 * @param target what it is called on; null if it stands alone
 * @param arguments the rest of what it gets
 */
record Call(String function, String overload, @Nullable Node target, List<Node> arguments) {

    /**
     * What a call costs, besides its arguments.
     *
     * @param cost from least to most
     * @param result the size of what it returns; null if that is not known or does not matter
     */
    record Cost(Range cost, @Nullable Range result) {
        static Cost of(Range cost) {
            return new Cost(cost, null);
        }

        static Cost of(long cost) {
            return of(Range.of(cost));
        }
    }

    Node argument(int index) {
        return arguments.get(index);
    }
}
