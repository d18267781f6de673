package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.internal.request.CallSender;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ClientCore.KnownObjects;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A connection without a network: notes requests and answers what the test says. */
public final class AnsweringConnection implements ApiConnection {

    private final List<ApiRequest> requests = new CopyOnWriteArrayList<>();
    private volatile Function<ApiRequest, ApiResponse> answer;

    public AnsweringConnection(Function<ApiRequest, ApiResponse> answer) {
        this.answer = answer;
    }

    /** Answer differently from now on. */
    public void answer(Function<ApiRequest, ApiResponse> newAnswer) {
        answer = newAnswer;
    }

    /** Return a response with a text, in which apostrophes stand for quotation marks. */
    public static ApiResponse json(int code, String text) {
        return new ApiResponse(code, text.replace('\'', '"').getBytes(StandardCharsets.UTF_8), List.of());
    }

    /** Return the core of a client that uses this connection. */
    public ClientCore core(ClientOptions options, WriteListener listener) {
        return ClientCore.create(
                new ClientCore.Shared(
                        new CallSender(this, WriteGate.OPEN, options),
                        Scheme.create(),
                        Discovery.of(this),
                        new ClientCore.WriteContext(listener, "operator", new KnownObjects(null))),
                options);
    }

    /** Return the core of a client with default options. */
    public ClientCore core() {
        return core(ClientOptions.defaults(), WriteListener.NONE);
    }

    /** Return the requests so far. */
    public List<ApiRequest> requests() {
        return requests;
    }

    /** Return method and path of the requests so far, and forget them. */
    public List<String> takeRequests() {
        List<String> taken = requests.stream()
                .map(request -> request.method() + " " + request.path())
                .toList();
        requests.clear();
        return taken;
    }

    @Override
    public String server() {
        return "https://server.test";
    }

    @Override
    public ApiResponse send(ApiRequest request) {
        requests.add(request);
        return answer.apply(request);
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
