/**
 * The client that users get. {@code DefaultClient} routes reads to the cache or the server; {@code ClientWiring} connects it to
 * the cache and the manager. The rooms below depend on each other in this order: {@code apply} on {@code write}, {@code write}
 * and {@code read} on {@code request}, {@code request} on {@code http}. {@code discovery}, {@code error} and {@code spi} stand at
 * the bottom.
 */
@NullMarked
package io.github.reconciler4j.client.internal;

import org.jspecify.annotations.NullMarked;
