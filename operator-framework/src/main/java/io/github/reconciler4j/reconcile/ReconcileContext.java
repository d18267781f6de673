package io.github.reconciler4j.reconcile;

import io.github.reconciler4j.client.Client;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The context of one call of a reconciler. Immutable and thread-safe.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * if (context.isLastAttempt()) {
 *     log.accept(context.request().key() + " is not retried if this fails");
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ReconcileContext {

    /**
     * Return the request. In a controller with its own request type, the name is the text of the request; the reconciler
     * receives the request itself.
     */
    Request request();

    /** Return an id that is unique to this call; the log context has it under {@code reconcileID}. */
    String reconcileId();

    /** Return the number of this attempt: 1, plus one for each failure or retry in a row before it. */
    int attempt();

    /**
     * Return whether a failure of this call exhausts the attempts that {@code maxAttempts} allows, so that the request is not
     * retried until something changes. False without such a limit, which is the default.
     */
    default boolean isLastAttempt() {
        return false;
    }

    /**
     * Return why this call happens: the changes since the last call started, coalesced per object, oldest first. A retry
     * also has those of the failed calls before it. Empty if the reconciler itself asked for this call and nothing changed
     * since. Lists at most 16 objects; the last entry then counts the others.
     */
    List<Trigger> triggers();

    /** Return when the thread will be interrupted; empty without a reconcile timeout, which is the default. */
    Optional<Instant> deadline();

    /** Return the name of the cluster that the request is for; {@code ""} for the cluster of the manager. */
    default String cluster() {
        return request().cluster();
    }

    /**
     * Return the client of the cluster that the request is for. A reconciler of a controller that runs in several clusters reads
     * and writes with this client.
     *
     * @throws IllegalStateException if the controller was not built by a {@code ControllerBuilder}
     */
    default Client client() {
        throw new IllegalStateException("The context has no client: build the controller with a ControllerBuilder");
    }

    /** Create a context for a test: a first attempt without triggers, deadline and client. */
    static ReconcileContext of(Request request) {
        record TestContext(
                Request request, String reconcileId, int attempt, List<Trigger> triggers, Optional<Instant> deadline)
                implements ReconcileContext {}
        return new TestContext(request, UUID.randomUUID().toString(), 1, List.of(), Optional.empty());
    }

    /** Return this context with the client of the cluster that the request is for. */
    default ReconcileContext withClient(Client client) {
        record ClientContext(
                Request request,
                String reconcileId,
                int attempt,
                boolean isLastAttempt,
                List<Trigger> triggers,
                Optional<Instant> deadline,
                Client client)
                implements ReconcileContext {}
        return new ClientContext(request(), reconcileId(), attempt(), isLastAttempt(), triggers(), deadline(), client);
    }
}
