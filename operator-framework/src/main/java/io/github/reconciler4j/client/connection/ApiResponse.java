package io.github.reconciler4j.client.connection;

import java.util.List;

/**
 * A whole answer with a 2xx status.
 *
 * @param code the HTTP status
 * @param body the body as it came
 * @param warnings the texts of the server's {@code Warning} headers
 * @since 0.1.0
 */
public record ApiResponse(int code, byte[] body, List<String> warnings) {}
