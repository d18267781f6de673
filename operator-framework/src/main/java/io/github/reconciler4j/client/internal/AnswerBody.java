package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.connection.ApiStream;
import java.io.IOException;

/** The body of an answer, whichever transport brings it. */
abstract class AnswerBody extends ApiStream {

    /**
     * Reads all that is left until a point in time; {@link Long#MAX_VALUE} is without end.
     *
     * @throws java.net.SocketTimeoutException if that point has come
     */
    abstract byte[] readAll(long deadline) throws IOException;
}
