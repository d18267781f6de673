package io.github.reconciler4j.test.server.internal.http;

import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.exchange.Query;
import io.github.reconciler4j.test.server.internal.exchange.RequestHandler;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection, or the one request of an HTTP/2 stream: one after the other, each worked on in a
 * worker thread. All fields belong to the connection's thread.
 */
final class Exchanges extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final int MAX_WAITING = 64;

    /** A request, or the status with which what came instead of one is refused. */
    private record Waiting(
            ApiRequest request, boolean keepAlive, @Nullable HttpResponseStatus refusal) {}

    private static final ApiRequest NONE = new ApiRequest("GET", "/", new Query(Map.of()), Map.of(), new byte[0]);

    private final RequestHandler handler;
    private final ScheduledExecutorService workers;
    private final Channel connection;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private @Nullable Exchange current;

    Exchanges(RequestHandler handler, ScheduledExecutorService workers, Channel connection) {
        this.handler = handler;
        this.workers = workers;
        this.connection = connection;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest message) {
        if (waiting.size() >= MAX_WAITING) {
            context.close();
            return;
        }
        HttpResponseStatus refusal = RequestForm.refusal(message);
        waiting.add(
                refusal == null
                        ? new Waiting(request(message), HttpUtil.isKeepAlive(message), null)
                        : new Waiting(NONE, false, refusal));
        next(context);
    }

    private void next(ChannelHandlerContext context) {
        if (current != null || waiting.isEmpty()) {
            return;
        }
        Waiting next = waiting.remove();
        Exchange exchange = new Exchange(context, connection, workers, next.request(), next.keepAlive(), () -> {
            current = null;
            next(context);
        });
        current = exchange;
        HttpResponseStatus refusal = next.refusal();
        if (refusal != null) {
            exchange.send(Response.text(refusal.code(), refusal.toString()));
            return;
        }
        workers.execute(() -> handler.handle(next.request(), exchange));
    }

    private static ApiRequest request(FullHttpRequest message) {
        Map<String, String> headers = new HashMap<>();
        message.headers()
                .forEach(header -> headers.merge(
                        header.getKey().toLowerCase(Locale.ROOT), header.getValue(), (a, b) -> a + "," + b));
        QueryStringDecoder uri = new QueryStringDecoder(RequestForm.target(message.uri()));
        return new ApiRequest(
                message.method().name(),
                uri.path(),
                new Query(uri.parameters()),
                headers,
                ByteBufUtil.getBytes(message.content()));
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (current != null && context.channel().isWritable()) {
            current.writable();
        }
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        waiting.clear();
        if (current != null) {
            current.closed();
        }
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close(); // a broken connection or an invalid HTTP message
    }

    /** Rejects malformed HTTP requests with the status codes of kube-apiserver. Stateless. */
    private static final class RequestForm {
        private static final Pattern METHOD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
        private static final Pattern ABSOLUTE = Pattern.compile("^https?://[^/?]*");

        private RequestForm() {}

        /** Return the status with which to refuse a request; null for one that can be looked at. */
        static @Nullable HttpResponseStatus refusal(FullHttpRequest message) {
            Throwable failure = message.decoderResult().cause();
            if (failure instanceof TooLongHttpHeaderException || failure instanceof TooLongHttpLineException) {
                return HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
            }
            if (failure != null || !METHOD.matcher(message.method().name()).matches()) {
                return HttpResponseStatus.BAD_REQUEST;
            }
            HttpVersion version = message.protocolVersion();
            if (version.majorVersion() != 1) {
                return HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED;
            }
            int hosts = message.headers().getAll(HttpHeaderNames.HOST).size();
            boolean needsHost = version.minorVersion() > 0;
            if (hosts > 1 || needsHost && hosts == 0 || !hasPath(message)) {
                return HttpResponseStatus.BAD_REQUEST;
            }
            String coding = message.headers().get(HttpHeaderNames.TRANSFER_ENCODING, "chunked");
            return coding.equalsIgnoreCase("chunked") ? null : HttpResponseStatus.NOT_IMPLEMENTED;
        }

        private static boolean hasPath(FullHttpRequest message) {
            String target = target(message.uri());
            if (message.method().name().equals("CONNECT") || target.equals("*")) {
                return true;
            }
            if (!target.startsWith("/") || target.indexOf('\0') >= 0) {
                return false;
            }
            try {
                new QueryStringDecoder(target).path();
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }

        /** Return the target of a request without the name of the server. */
        static String target(String uri) {
            String rest = ABSOLUTE.matcher(uri).replaceFirst("");
            return rest.isEmpty() ? "/" : rest;
        }
    }
}
