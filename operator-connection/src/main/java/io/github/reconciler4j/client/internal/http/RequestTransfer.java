package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.IOException;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;

/** One request and the head of its response, over a connection that is open. */
final class RequestTransfer {

    static final HttpContext NO_CONTEXT = HttpCoreContext.create();

    /** Larger requests can block while they are written, and servers may reject them before they have read all. */
    private static final int LARGE_BODY = 16 * 1024;

    private static final int MAX_INTERIM_RESPONSES = 32;

    private RequestTransfer() {}

    /** Return whether the code is one of success; interim responses have been skipped. */
    static boolean isSuccess(ClassicHttpResponse response) {
        return response.getCode() <= 299;
    }

    static ClassicHttpResponse execute(
            ConnectionEndpoint endpoint, ClassicHttpRequest request, ConnectionEndpoint.RequestExecutor executor)
            throws IOException {
        try {
            return endpoint.execute("", request, executor, NO_CONTEXT);
        } catch (ParseException e) {
            // Its message quotes the line, which may be confidential.
            throw new TransportException(Problem.MALFORMED_RESPONSE, "The head of the response cannot be parsed", null);
        } catch (HttpException | MessageConstraintException e) {
            throw new TransportException(Problem.MALFORMED_RESPONSE, String.valueOf(e.getMessage()), e);
        }
    }

    static ClassicHttpResponse transfer(ClassicHttpRequest request, int bodyLength, ServerConnection connection)
            throws IOException, HttpException {
        IOException unsent = null;
        try {
            connection.sendRequestHeader(request);
            connection.sendRequestEntity(request);
            connection.flush();
        } catch (IOException e) {
            if (bodyLength < LARGE_BODY) {
                throw e;
            }
            unsent = e; // the server may have rejected the request before it has read all of it
        }
        try {
            ClassicHttpResponse response = receiveHead(connection);
            if (unsent != null) {
                response.setHeader("Connection", "close"); // the rest of the request cannot be sent anymore
            }
            if (!request.getMethod().equals("CONNECT")
                    && MessageSupport.canResponseHaveBody(request.getMethod(), response)) {
                connection.receiveResponseEntity(response);
            }
            return response;
        } catch (IOException e) {
            if (unsent != null) {
                unsent.addSuppressed(e);
                throw unsent;
            }
            throw e;
        }
    }

    private static ClassicHttpResponse receiveHead(ServerConnection connection) throws IOException, HttpException {
        for (int i = 0; i < MAX_INTERIM_RESPONSES; i++) {
            ClassicHttpResponse response = connection.receiveResponseHeader();
            if (response.getCode() >= 200) {
                return response;
            }
            if (response.getCode() == 101) {
                throw new ProtocolException("The server switched protocols without being asked");
            }
        }
        throw new ProtocolException("More than " + MAX_INTERIM_RESPONSES + " interim responses");
    }
}
