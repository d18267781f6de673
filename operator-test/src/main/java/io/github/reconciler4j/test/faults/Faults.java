package io.github.reconciler4j.test.faults;

/**
 * The fault rules of a server. The first rule that applies to a request, in the order of addition, wins. Safe for use by
 * multiple threads.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * try (ActiveFault conflicts =
 *         server.faults().add(FaultRule.of(statusWrites, Fault.conflict()).times(2))) {
 *     work.run();
 *     assertThat(conflicts.injected()).isEqualTo(2);
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Faults {

    /** Add a rule and return it. Closing the result removes the rule. */
    ActiveFault add(FaultRule rule);

    /** Remove all rules. Requests that they stall continue. */
    void clear();
}
