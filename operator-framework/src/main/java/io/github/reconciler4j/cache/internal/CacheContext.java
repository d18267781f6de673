package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.ApiConnection;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What all kinds of one cache share.
 *
 * @param connection the way to the server
 * @param options the settings
 * @param pool shares strings between all kinds
 * @param zip compresses bodies
 * @param watchList whether the server can stream first lists; set to false by the first refusal
 */
record CacheContext(
        ApiConnection connection, CacheOptions options, StringPool pool, ZipPool zip, AtomicBoolean watchList) {

    CacheContext(ApiConnection connection, CacheOptions options) {
        this(
                connection,
                options,
                new StringPool(),
                new ZipPool(),
                new AtomicBoolean(options.watch().watchList()));
    }
}
