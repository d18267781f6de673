package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.internal.auth.User;
import java.util.function.Consumer;

/**
 * Who writes, how, and where warnings go.
 *
 * @param user the writer
 * @param options how
 * @param warnings takes what the writer is told besides the answer
 * @since 0.1.0
 */
public record WriteContext(User user, WriteOptions options, Consumer<String> warnings) {
    /** A write that the server does itself, in the name of one of its parts. */
    public static WriteContext internal(String manager) {
        return new WriteContext(User.SERVER, WriteOptions.internal(manager), warning -> {});
    }
}
