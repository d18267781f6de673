package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.internal.auth.User;
import java.util.function.Consumer;

/**
 * The user, the options and the warnings of a write.
 *
 * @param warnings receives the warnings for the writer
 */
public record WriteContext(User user, WriteOptions options, Consumer<String> warnings) {
    /** Return a write that the server does itself, in the name of one of its parts. */
    public static WriteContext internal(String manager) {
        return new WriteContext(User.SERVER, WriteOptions.internal(manager), warning -> {});
    }
}
