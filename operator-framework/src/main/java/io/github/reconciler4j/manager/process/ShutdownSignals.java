package io.github.reconciler4j.manager.process;

import io.github.reconciler4j.support.Causes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles signals that arrive during shutdown. The JVM ignores them, so that pressing Ctrl-C a second time has no effect and the
 * process uses its whole grace period. Thread-safe.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * Runtime.getRuntime().addShutdownHook(new Thread(() -> {
 *     ShutdownSignals.haltOnNext(); // a second Ctrl-C ends the process at once
 *     manager.stop();
 * }));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ShutdownSignals {

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownSignals.class);

    /** The exit code of a process that was ended by a signal is this plus the number of the signal. */
    private static final int BY_SIGNAL = 128;

    private ShutdownSignals() {}

    /**
     * Halt the JVM on the next SIGINT or SIGTERM: immediately, without shutdown hooks, with exit code 130 or 143. Call this
     * method when the shutdown has started, for instance in a shutdown hook.
     *
     * @return whether the JVM allows programs to handle signals; it does not if it was started with {@code -Xrs}
     */
    public static boolean haltOnNext() {
        try {
            for (String signal : List.of("INT", "TERM")) {
                handle(signal);
            }
            return true;
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            LOG.debug("The JVM does not allow programs to handle signals", Causes.loggable(e));
            return false;
        }
    }

    /** Uses reflection, because the compiler warns about the class, which is in the module jdk.unsupported of every JVM. */
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
            throw new IllegalArgumentException("Could not handle signal " + name, e);
        }
    }
}
