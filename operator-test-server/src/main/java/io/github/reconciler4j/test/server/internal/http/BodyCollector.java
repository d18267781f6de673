package io.github.reconciler4j.test.server.internal.http;

import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Waits for the whole body of a request; one that is too large is refused with a {@code Status} and the connection ends. */
final class BodyCollector extends HttpObjectAggregator {
    private static final int PATIENCE_SECONDS = 5;

    private final int limit;
    private boolean refused;

    BodyCollector(int limit) {
        super(limit, true); // what is expected and cannot be done ends the connection
        this.limit = limit;
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
        byte[] body = Json.bytes(StatusException.tooLarge(limit).toStatus());
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, Unpooled.wrappedBuffer(body));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json");
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        response.headers().set(HttpHeaderNames.CONNECTION, "close");
        refused = true;
        context.writeAndFlush(response);
        // a client that still sends would not see the answer if the connection ended now
        context.executor().schedule(() -> context.close(), PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    protected void decode(ChannelHandlerContext context, HttpObject message, List<Object> out) throws Exception {
        super.decode(context, message, out);
        if (refused && message instanceof LastHttpContent) {
            context.close();
        }
    }
}
