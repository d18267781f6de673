package io.github.reconciler4j.test.server.internal.direct;

import java.util.List;
import java.util.Map;

/**
 * A response whose body is read as it arrives.
 *
 * @param headers the headers besides those about the body; a name may come several times
 * @param body to be read to its end or closed
 */
public record DirectAnswer(int status, List<Map.Entry<String, String>> headers, DirectBody body) {}
