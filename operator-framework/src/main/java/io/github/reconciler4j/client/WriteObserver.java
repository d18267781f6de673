package io.github.reconciler4j.client;

/**
 * Receives each write that would have changed something in {@link WriteMode#OBSERVE}. The default observer logs them.
 * Implementations are called on the writing thread before the write returns, and must be thread-safe.
 *
 * <!-- snippet: ClientSettings -->
 * <pre>{@code
 * WriteObserver observer = write -> log.accept(write.effect() + " " + write.object());
 * return ClientOptions.defaults().withMode(WriteMode.OBSERVE).withWriteObserver(observer);
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WriteObserver {

    /** Receive a write. */
    void observed(ObservedWrite write);
}
