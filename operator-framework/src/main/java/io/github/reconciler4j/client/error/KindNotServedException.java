package io.github.reconciler4j.client.error;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The API server does not know the kind (404 without an object in the answer): its CustomResourceDefinition is missing, or
 * it serves other versions only.
 *
 * @since 0.1.0
 */
public class KindNotServedException extends NotFoundException {

    private static final long serialVersionUID = 1L;

    /** Creates it; see {@link ApiException}. */
    public KindNotServedException(
            String message, int code, String reason, List<Cause> causes, Optional<Duration> retryAfter) {
        super(message, code, reason, causes, retryAfter);
    }
}
