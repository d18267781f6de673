package io.github.reconciler4j.test.server.internal.http;

import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * Options of the transport.
 *
 * @param port the port on loopback; 0 for any free one
 * @param tls how to encrypt; null for plain HTTP
 * @param maxBody how many bytes a body may have
 * @param workers how many requests are worked on at the same time
 */
public record HttpOptions(int port, @Nullable SslContext tls, int maxBody, int workers) {}
