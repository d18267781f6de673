package io.github.reconciler4j.finalizer;

/**
 * Cleans up before an object goes.
 *
 * @param <T> the class of the object
 * @since 0.1.0
 */
@FunctionalInterface
public interface Finalizer<T> {

    /**
     * Cleans up what belongs to an object that is being deleted. Runs again until it ends without an exception once,
     * perhaps in another process, so it must cope with work that is done already.
     *
     * @throws Exception if it must be tried again; the object stays until then
     */
    void cleanUp(T object) throws Exception;
}
