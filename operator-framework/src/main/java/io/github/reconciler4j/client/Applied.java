package io.github.reconciler4j.client;

/**
 * The outcome of {@link Client#applyIfChanged}. Immutable.
 *
 * @param object the object as it is now
 * @param written whether a request was sent
 * @param <T> the class of the object
 */
public record Applied<T>(T object, boolean written) {}
