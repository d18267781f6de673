package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.internal.http.ServerConnection.RequestTransfer;
import java.io.IOException;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.ConnectionEndpoint.RequestExecutor;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.InOrder;

/** How a request and the head of its response pass. */
class RequestTransferTests {

    private static final int LARGE = 16 * 1024;

    private final ServerConnection connection = mock(ServerConnection.class);
    private final RequestExecutor executor = mock(RequestExecutor.class);
    private final IOException broken = new IOException("broken pipe");

    private static ClassicHttpRequest request(String method) {
        return new BasicClassicHttpRequest(method, "/x");
    }

    private ClassicHttpResponse transfer(String method, int bodyLength) throws IOException, HttpException {
        return RequestTransfer.transfer(request(method), bodyLength, connection);
    }

    private void answer(int... codes) throws IOException, HttpException {
        var answering = given(connection.receiveResponseHeader());
        for (int code : codes) {
            answering = answering.willReturn(new BasicClassicHttpResponse(code));
        }
    }

    @Test
    void requestIsSentAsAWholeBeforeItsResponseIsRead() throws IOException, HttpException {
        answer(200);
        ClassicHttpRequest post = request("POST");

        ClassicHttpResponse response = RequestTransfer.transfer(post, 5, connection);

        assertThat(response.getCode()).isEqualTo(200);
        assertThat(response.getFirstHeader("Connection")).isNull();
        InOrder order = inOrder(connection);
        then(connection).should(order).sendRequestHeader(post);
        then(connection).should(order).sendRequestEntity(post);
        then(connection).should(order).flush();
        then(connection).should(order).receiveResponseHeader();
        then(connection).should(order).receiveResponseEntity(response);
    }

    @ParameterizedTest
    @CsvSource({"GET, 200, 1", "GET, 204, 0", "HEAD, 200, 0", "CONNECT, 200, 0", "CONNECT, 407, 0"})
    void bodyIsReadIfTheResponseHasOne(String method, int code, int bodies) throws IOException, HttpException {
        answer(code);

        assertThat(transfer(method, 0).getCode()).isEqualTo(code);

        then(connection).should(times(bodies)).receiveResponseEntity(any());
    }

    @Test
    void interimResponsesAreSkippedButNotWithoutEnd() throws IOException, HttpException {
        answer(100, 103, 199, 200);
        assertThat(transfer("GET", 0).getCode()).isEqualTo(200);
        answer(101);
        assertThatThrownBy(() -> transfer("GET", 0))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("The server switched protocols without being asked");
        answer(103);
        assertThatThrownBy(() -> transfer("GET", 0))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("More than 32 interim responses");
        then(connection).should(times(4 + 1 + 32)).receiveResponseHeader();
    }

    /** A server may reject a large request before it has read all of it. */
    @Test
    void requestWhenItsEndCannotBeSentGetsTheResponseIfItIsLarge() throws IOException, HttpException {
        willThrow(broken).given(connection).sendRequestEntity(any());
        answer(413);

        assertThatThrownBy(() -> transfer("POST", LARGE - 1)).isSameAs(broken);
        then(connection).should(never()).receiveResponseHeader();
        ClassicHttpResponse response = transfer("POST", LARGE);
        assertThat(response.getCode()).isEqualTo(413);
        assertThat(response.getFirstHeader("Connection").getValue()).isEqualTo("close");
    }

    @Test
    void requestWhenNothingIsAnsweredFailsWithTheFirstReason() throws IOException, HttpException {
        IOException reset = new IOException("reset");
        given(connection.receiveResponseHeader()).willThrow(reset);

        assertThatThrownBy(() -> transfer("POST", LARGE)).isSameAs(reset);
        willThrow(broken).given(connection).flush();
        assertThatThrownBy(() -> transfer("POST", LARGE)).isSameAs(broken).hasSuppressedException(reset);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 299})
    void codesOfSuccessEndBefore300(int code) {
        assertThat(RequestTransfer.isSuccess(new BasicClassicHttpResponse(code)))
                .isTrue();
        assertThat(RequestTransfer.isSuccess(new BasicClassicHttpResponse(300))).isFalse();
        assertThat(RequestTransfer.isSuccess(new BasicClassicHttpResponse(407))).isFalse();
    }

    private TransportException failure(Exception thrown) throws IOException, HttpException {
        ConnectionEndpoint endpoint = mock(ConnectionEndpoint.class);
        given(endpoint.execute(any(), any(), any(RequestExecutor.class), any())).willThrow(thrown);
        TransportException failure = catchThrowableOfType(
                TransportException.class, () -> RequestTransfer.execute(endpoint, request("GET"), executor));
        assertThat(failure.problem()).isEqualTo(Problem.MALFORMED_RESPONSE);
        return failure;
    }

    @Test
    void responseWhenMalformedIsAnErrorWithoutItsContent() throws IOException, HttpException {
        assertThat(failure(new ParseException("Invalid header", "top-secret", 0, 3, 1)))
                .hasMessage("The head of the response cannot be parsed")
                .hasNoCause();
        Exception violation = new ProtocolException("Negative content length");
        assertThat(failure(violation)).hasMessage("Negative content length").hasCause(violation);
        Exception limit = new MessageConstraintException("Maximum header count exceeded");
        assertThat(failure(limit)).hasMessage("Maximum header count exceeded").hasCause(limit);
    }

    @Test
    void responseWhenWellFormedIsThatOfTheConnection() throws IOException, HttpException {
        ConnectionEndpoint endpoint = mock(ConnectionEndpoint.class);
        ClassicHttpResponse response = new BasicClassicHttpResponse(200);
        ClassicHttpRequest request = request("GET");
        given(endpoint.execute("", request, executor, RequestTransfer.NO_CONTEXT))
                .willReturn(response);

        assertThat(RequestTransfer.execute(endpoint, request, executor)).isSameAs(response);
    }
}
