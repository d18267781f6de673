package io.github.reconciler4j.manager;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process does with signals that tell it to end while it is ending. The JVM ignores them, so that somebody who
 * presses Ctrl-C twice waits for the whole grace period. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ShutdownSignals {

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownSignals.class);

    /** What exit codes of processes that ended by a signal begin with. */
    private static final int BY_SIGNAL = 128;

    private ShutdownSignals() {}

    /**
     * Lets the next SIGINT or SIGTERM halt the JVM at once, without grace period and shutdown hooks, with exit code 130
     * or 143. To be called when an orderly end has begun, for instance by a shutdown hook:
     *
     * <pre>{@code
     * Runtime.getRuntime().addShutdownHook(new Thread(() -> {
     *     ShutdownSignals.haltOnNext();
     *     manager.stop();
     * }));
     * }</pre>
     *
     * @return whether the JVM lets programs handle signals; not if it was started with {@code -Xrs}
     */
    public static boolean haltOnNext() {
        try {
            for (String signal : List.of("INT", "TERM")) {
                handle(signal);
            }
            return true;
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            LOG.debug("The JVM does not let programs handle signals", e);
            return false;
        }
    }

    /** By reflection, since the compiler warns of the class, which every JVM has in its module jdk.unsupported. */
    private static void handle(String name) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object instance = signal.getConstructor(String.class).newInstance(name);
        int number = (int) signal.getMethod("getNumber").invoke(instance);
        Object halt = Proxy.newProxyInstance(
                ShutdownSignals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        Runtime.getRuntime().halt(BY_SIGNAL + number);
                    }
                    return method.getName().equals("hashCode") ? number : null;
                });
        try {
            signal.getMethod("handle", signal, handler).invoke(null, instance, halt);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException("The signal " + name + " cannot be handled", e);
        }
    }
}
