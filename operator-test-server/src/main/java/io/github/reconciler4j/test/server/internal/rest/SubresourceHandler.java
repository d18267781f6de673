package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.internal.exchange.Answer;

/**
 * Answers requests that are about something else than a stored object: scales, evictions, reviews, tokens.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SubresourceHandler {
    /** Does what the request asks; its verb is one that the kind or part has. */
    Answer handle(Call call);
}
