/** Calls webhooks: HTTP/1.1 over TLS, with the trust and the addresses that a configuration names. */
@NullMarked
package io.github.reconciler4j.test.server.internal.webhook;

import org.jspecify.annotations.NullMarked;
