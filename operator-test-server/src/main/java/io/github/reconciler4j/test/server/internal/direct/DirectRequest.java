package io.github.reconciler4j.test.server.internal.direct;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A request of this JVM.
 *
 * @param method the HTTP method, upper case
 * @param path the absolute path, not encoded
 * @param query all values of each parameter, not encoded
 * @param headers the headers by lower-case name
 * @param body the body, may be empty
 * @param timeout how long to wait for the response, zero for no limit
 */
public record DirectRequest(
        String method,
        String path,
        Map<String, List<String>> query,
        Map<String, String> headers,
        byte[] body,
        Duration timeout) {}
