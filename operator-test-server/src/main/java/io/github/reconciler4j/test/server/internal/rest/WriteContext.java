package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.internal.auth.User;
import java.util.function.Consumer;

/**
 * The user, the options and the warnings of a write.
 *
 * @param warnings receives the warnings for the writer
 * @param origin where the write comes from
 */
public record WriteContext(User user, WriteOptions options, Consumer<String> warnings, Origin origin) {
    /** Where a write comes from. */
    public enum Origin {
        /** The server itself: admission does not see the write. */
        SERVER,
        /** A request for an object. */
        REQUEST,
        /** A request for all objects of a collection. */
        COLLECTION
    }

    /** Return a write that the server does itself, in the name of one of its parts. */
    public static WriteContext internal(String manager) {
        return new WriteContext(User.SERVER, WriteOptions.internal(manager), warning -> {}, Origin.SERVER);
    }

    /** Return a write that the server does itself in the course of this one. */
    WriteContext fromServer(boolean dryRun) {
        WriteOptions own =
                new WriteOptions(dryRun, options.manager(), options.validation(), options.force(), options.given());
        return new WriteContext(user, own, warnings, Origin.SERVER);
    }

    WriteContext from(Origin other) {
        return new WriteContext(user, options, warnings, other);
    }
}
