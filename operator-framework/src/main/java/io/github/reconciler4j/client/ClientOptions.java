package io.github.reconciler4j.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a {@link Client}. Immutable.
 *
 * @param fieldManager who owns what is written (default {@code operator}); controllers use their name
 * @param fieldValidation what the server does about unknown fields (default: as the server is set, which is to warn)
 * @param mode whether writes take effect (default {@link WriteMode#NORMAL})
 * @param timeout how long one request may take (default 30 seconds); positive
 * @param throttle how many requests may leave (default no limit: the server's priority and fairness does that job)
 * @param hooks who is told of writes, and who may refuse them (default nobody)
 * @param interceptors called around each request, the first outermost (default none)
 */
public record ClientOptions(
        String fieldManager,
        Optional<FieldValidation> fieldValidation,
        WriteMode mode,
        Duration timeout,
        Throttle throttle,
        WriteHooks hooks,
        List<ClientInterceptor> interceptors) {

    private static final ClientOptions DEFAULTS = new ClientOptions(
            "operator",
            Optional.empty(),
            WriteMode.NORMAL,
            ApiRequest.DEFAULT_TIMEOUT,
            Throttle.off(),
            new WriteHooks(WriteListener.NONE, WriteGate.OPEN),
            List.of());

    /** Checks field manager and timeout. */
    public ClientOptions {
        if (fieldManager.isBlank() || fieldManager.length() > 128) {
            throw new IllegalArgumentException(
                    "'fieldManager' must have 1 to 128 characters, was '" + fieldManager + "'");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("'timeout' must be positive, was " + timeout);
        }
        interceptors = List.copyOf(interceptors);
    }

    /** The default settings. */
    public static ClientOptions defaults() {
        return DEFAULTS;
    }

    /** The same in the name of another field manager. */
    public ClientOptions withFieldManager(String manager) {
        return new ClientOptions(manager, fieldValidation, mode, timeout, throttle, hooks, interceptors);
    }

    /** The same with this field validation. */
    public ClientOptions withFieldValidation(FieldValidation validation) {
        return new ClientOptions(fieldManager, Optional.of(validation), mode, timeout, throttle, hooks, interceptors);
    }

    /** The same in another mode. */
    public ClientOptions withMode(WriteMode newMode) {
        return new ClientOptions(fieldManager, fieldValidation, newMode, timeout, throttle, hooks, interceptors);
    }

    /** The same with another time limit per request. */
    public ClientOptions withTimeout(Duration newTimeout) {
        return new ClientOptions(fieldManager, fieldValidation, mode, newTimeout, throttle, hooks, interceptors);
    }

    /** The same with other limits. */
    public ClientOptions withThrottle(Throttle newThrottle) {
        return new ClientOptions(fieldManager, fieldValidation, mode, timeout, newThrottle, hooks, interceptors);
    }

    /** The same with this listener in place of the former. */
    public ClientOptions withWriteListener(WriteListener listener) {
        return withHooks(new WriteHooks(listener, hooks.gate()));
    }

    /** The same with this gate in place of the former. */
    public ClientOptions withWriteGate(WriteGate gate) {
        return withHooks(new WriteHooks(hooks.listener(), gate));
    }

    private ClientOptions withHooks(WriteHooks newHooks) {
        return new ClientOptions(fieldManager, fieldValidation, mode, timeout, throttle, newHooks, interceptors);
    }

    /** The same with these interceptors in place of the former. */
    public ClientOptions withInterceptors(List<ClientInterceptor> newInterceptors) {
        return new ClientOptions(fieldManager, fieldValidation, mode, timeout, throttle, hooks, newInterceptors);
    }

    /**
     * Who takes part in writes.
     *
     * @param listener is told of writes
     * @param gate may refuse writes
     */
    public record WriteHooks(WriteListener listener, WriteGate gate) {}
}
