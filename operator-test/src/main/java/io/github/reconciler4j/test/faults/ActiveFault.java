package io.github.reconciler4j.test.faults;

/**
 * A fault rule that a server follows until it is closed. Safe for use by multiple threads.
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
public interface ActiveFault extends AutoCloseable {

    /** Return the rule. */
    FaultRule rule();

    /** Return the number of requests, or of watch events, that the rule has matched so far. */
    long matched();

    /** Return how often the server has injected the fault so far. */
    long injected();

    /** Remove the rule. Requests that it stalls continue. Closing it again has no effect. */
    @Override
    void close();
}
