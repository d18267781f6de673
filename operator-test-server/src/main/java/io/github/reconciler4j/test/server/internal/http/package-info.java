/** HTTP/1.1 and HTTP/2 over Netty: requests in, answers and streams out. */
@NullMarked
package io.github.reconciler4j.test.server.internal.http;

import org.jspecify.annotations.NullMarked;
