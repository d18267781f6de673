package io.github.reconciler4j.client;

/**
 * The outcome of {@link Client#applyIfChanged}. Immutable.
 *
 * @param object the object as it is now
 * @param written whether a request was sent
 * @param <T> the class of the object
 * @since 0.1.0
 */
public record ApplyResult<T>(T object, boolean written) {}
