package io.github.reconciler4j.client;

import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.internal.ObservationLog;
import io.github.reconciler4j.scheme.GroupVersionKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of a {@link Client}. Immutable.
 *
 * @param fieldManager who owns what is written (default: the controller whose thread writes, {@code operator} on other
 *     threads)
 * @param fieldValidation what the server does about unknown fields (default: as the server is set, which is to warn)
 * @param mode whether writes take effect (default {@link WriteMode#NORMAL})
 * @param limits how long requests may take and how many may leave
 * @param hooks who is told of writes, and who may refuse them (default nobody)
 * @param interceptors called around each request, the first outermost (default none)
 * @param uncached the kinds whose reads go to the server although there is a cache (default none)
 * @since 0.1.0
 */
public record ClientOptions(
        FieldManager fieldManager,
        Optional<FieldValidation> fieldValidation,
        WriteMode mode,
        Limits limits,
        Hooks hooks,
        List<ClientInterceptor> interceptors,
        Set<GroupVersionKind> uncached) {

    private static final ClientOptions DEFAULTS = new ClientOptions(
            new FieldManager("operator", true),
            Optional.empty(),
            WriteMode.NORMAL,
            new Limits(ApiRequest.DEFAULT_TIMEOUT, Throttle.off()),
            new Hooks(WriteListener.NONE, WriteGate.OPEN, new ObservationLog()),
            List.of(),
            Set.of());

    /** Copies the collections. */
    public ClientOptions {
        interceptors = List.copyOf(interceptors);
        uncached = Set.copyOf(uncached);
    }

    /** The default settings. */
    public static ClientOptions defaults() {
        return DEFAULTS;
    }

    /** The same, writing in this name whatever thread writes. */
    public ClientOptions withFieldManager(String name) {
        return withFieldManager(new FieldManager(name, false));
    }

    /** The same in the name of another field manager. */
    public ClientOptions withFieldManager(FieldManager manager) {
        return new ClientOptions(manager, fieldValidation, mode, limits, hooks, interceptors, uncached);
    }

    /** The same with this field validation. */
    public ClientOptions withFieldValidation(FieldValidation validation) {
        return new ClientOptions(fieldManager, Optional.of(validation), mode, limits, hooks, interceptors, uncached);
    }

    /** The same in another mode. */
    public ClientOptions withMode(WriteMode newMode) {
        return new ClientOptions(fieldManager, fieldValidation, newMode, limits, hooks, interceptors, uncached);
    }

    /** The same with another time limit per request (default 30 seconds). */
    public ClientOptions withTimeout(Duration timeout) {
        return withLimits(new Limits(timeout, limits.throttle()));
    }

    /** The same with other limits of rate and concurrency. */
    public ClientOptions withThrottle(Throttle throttle) {
        return withLimits(new Limits(limits.timeout(), throttle));
    }

    private ClientOptions withLimits(Limits newLimits) {
        return new ClientOptions(fieldManager, fieldValidation, mode, newLimits, hooks, interceptors, uncached);
    }

    /** The same with this listener in place of the former. */
    public ClientOptions withWriteListener(WriteListener listener) {
        return withHooks(new Hooks(listener, hooks.gate(), hooks.observer()));
    }

    /** The same with this gate in place of the former. */
    public ClientOptions withWriteGate(WriteGate gate) {
        return withHooks(new Hooks(hooks.listener(), gate, hooks.observer()));
    }

    /** The same with this observer in place of the former; it is told of writes in {@link WriteMode#OBSERVE}. */
    public ClientOptions withWriteObserver(WriteObserver observer) {
        return withHooks(new Hooks(hooks.listener(), hooks.gate(), observer));
    }

    private ClientOptions withHooks(Hooks newHooks) {
        return new ClientOptions(fieldManager, fieldValidation, mode, limits, newHooks, interceptors, uncached);
    }

    /** The same with these interceptors in place of the former. */
    public ClientOptions withInterceptors(List<ClientInterceptor> newInterceptors) {
        return new ClientOptions(fieldManager, fieldValidation, mode, limits, hooks, newInterceptors, uncached);
    }

    /** The same with these kinds read from the server in place of the former. */
    public ClientOptions withUncached(Set<GroupVersionKind> kinds) {
        return new ClientOptions(fieldManager, fieldValidation, mode, limits, hooks, interceptors, kinds);
    }

    /**
     * Who owns what is written.
     *
     * @param name the name, of 1 to 128 characters
     * @param controllersUseTheirOwn whether a thread of a controller writes in the controller's name instead, so that it
     *     shows which of an operator's controllers disagree about a field
     * @since 0.1.0
     */
    public record FieldManager(String name, boolean controllersUseTheirOwn) {

        /** The longest name the server takes. */
        public static final int LONGEST_NAME = 128;

        /** Checks the name. */
        public FieldManager {
            if (name.isBlank() || name.length() > LONGEST_NAME) {
                throw new IllegalArgumentException(
                        "'fieldManager' must have 1 to " + LONGEST_NAME + " characters, was '" + name + "'");
            }
        }

        /** In whose name the calling thread writes. */
        public String current() {
            return controllersUseTheirOwn ? FieldManagerScope.current().orElse(name) : name;
        }
    }

    /**
     * What requests may take.
     *
     * @param timeout how long one request may take (default 30 seconds); positive
     * @param throttle how many requests may leave (default no limit: the server's priority and fairness does that job)
     * @since 0.1.0
     */
    public record Limits(Duration timeout, Throttle throttle) {

        /** Checks the timeout. */
        public Limits {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("'timeout' must be positive, was " + timeout);
            }
        }
    }

    /**
     * Who takes part in writes.
     *
     * @param listener is told of writes
     * @param gate may refuse writes
     * @param observer is told of writes that were only observed
     * @since 0.1.0
     */
    public record Hooks(WriteListener listener, WriteGate gate, WriteObserver observer) {}
}
