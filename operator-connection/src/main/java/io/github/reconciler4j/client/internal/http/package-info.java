/**
 * HTTP/1.1 to one API server on Apache HttpClient 5. The library keeps the pool, formats requests, parses responses and
 * upgrades connections to TLS; this package decides when connections are used, ended and checked, and which certificates are
 * trusted.
 *
 * <p>Start with {@code HttpTransport}, whose comment explains how a request runs. {@code Connector} opens connections,
 * {@code TlsMaterial} follows certificate files, {@code Deadlines} ends requests that take too long, and
 * {@code ServerConnection} is the connection of the pool. Nothing here knows kinds or objects.
 */
@NullMarked
package io.github.reconciler4j.client.internal.http;

import org.jspecify.annotations.NullMarked;
