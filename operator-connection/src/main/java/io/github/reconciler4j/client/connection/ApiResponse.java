package io.github.reconciler4j.client.connection;

import java.util.List;

/**
 * A complete response with a 2xx status. Immutable as long as the array is not changed.
 *
 * <!-- snippet: ConnectionUse -->
 * <pre>{@code
 * ApiResponse response = connection.send(ApiRequest.of("get", "GET", "/version"));
 * return new String(response.body(), StandardCharsets.UTF_8);
 * }</pre>
 *
 * @param code the HTTP status
 * @param body the body
 * @param warnings the texts of the {@code Warning} headers
 * @since 0.1.0
 */
public record ApiResponse(int code, byte[] body, List<String> warnings) {}
