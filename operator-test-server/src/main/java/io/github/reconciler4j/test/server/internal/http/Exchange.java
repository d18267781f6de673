package io.github.reconciler4j.test.server.internal.http;

import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.exchange.RequestHandler;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.github.reconciler4j.test.server.internal.exchange.StreamSink;
import io.github.reconciler4j.test.server.internal.exchange.StreamSource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One request and its response. Answers may come from any thread; all fields belong to the connection's thread. */
final class Exchange implements RequestHandler.Reply {
    private final ChannelHandlerContext context;
    private final Channel connection;
    private final ScheduledExecutorService workers;
    private final boolean isHead;
    private final boolean keepAlive;
    private final Runnable onDone;
    private boolean done;
    private @Nullable StreamSource source;

    Exchange(
            ChannelHandlerContext context,
            Channel connection,
            ScheduledExecutorService workers,
            ApiRequest request,
            boolean keepAlive,
            Runnable onDone) {
        this.context = context;
        this.connection = connection;
        this.workers = workers;
        this.isHead = request.method().equals("HEAD");
        this.keepAlive = keepAlive;
        this.onDone = onDone;
    }

    @Override
    public void send(Response response) {
        try {
            run(() -> {
                if (response instanceof Response.Whole whole) {
                    sendWhole(whole);
                } else if (response instanceof Response.Stream stream) {
                    sendStream(stream);
                }
            });
        } catch (RejectedExecutionException e) { // the server was stopped while the response was held back
            if (response instanceof Response.Stream stream) {
                stream.source().closed();
            }
        }
    }

    private void run(Runnable task) {
        if (context.executor().inEventLoop()) {
            task.run();
        } else {
            context.executor().execute(task);
        }
    }

    private void sendWhole(Response.Whole response) {
        if (done) {
            return;
        }
        ByteBuf body = body(response.body());
        int length = body.readableBytes();
        if (isHead) {
            body.release();
            body = Unpooled.EMPTY_BUFFER;
        }
        DefaultFullHttpResponse head = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status(response), body);
        describe(head, response, response.contentType());
        head.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
        if (!keepAlive) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        finish();
        context.writeAndFlush(head).addListener(future -> {
            if (!keepAlive || !future.isSuccess()) {
                context.close();
            } else {
                onDone.run();
            }
        });
    }

    private void finish() {
        done = true;
        source = null;
    }

    private static ByteBuf body(List<byte[]> parts) {
        return Unpooled.wrappedBuffer(Math.max(1, parts.size()), parts.toArray(byte[][]::new));
    }

    private static HttpResponseStatus status(Response response) {
        return HttpResponseStatus.valueOf(response.status());
    }

    private static void describe(HttpResponse head, Response response, String contentType) {
        head.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        head.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-cache, private");
        response.headers().forEach(header -> head.headers().add(header.getKey(), header.getValue()));
    }

    private void sendStream(Response.Stream response) {
        StreamSource from = response.source();
        if (done || !context.channel().isActive()) {
            from.closed();
            return;
        }
        DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status(response));
        describe(head, response, response.contentType());
        head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        context.write(head);
        source = from;
        from.open(new HttpStreamSink(context, connection, this::endStream));
    }

    private void endStream() {
        if (done) {
            return;
        }
        StreamSource ended = source;
        finish();
        if (ended != null) {
            ended.closed();
        }
        if (context.channel().isActive()) {
            onDone.run();
        }
    }

    void writable() {
        if (source != null) {
            source.writable();
        }
    }

    void closed() {
        StreamSource ended = source;
        finish();
        if (ended != null) {
            ended.closed();
        }
    }

    @Override
    public void sendPartOf(Response.Whole response) {
        run(() -> {
            if (done) {
                return;
            }
            ByteBuf body = body(response.body());
            DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status(response));
            describe(head, response, response.contentType());
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            finish();
            context.write(head);
            context.writeAndFlush(new DefaultHttpContent(body.readSlice(body.readableBytes() / 2)))
                    .addListener(future -> connection.close());
        });
    }

    @Override
    public void cut() {
        run(() -> {
            finish();
            connection.close().addListener(ChannelFutureListener.CLOSE);
        });
    }

    @Override
    public void later(Duration delay, Runnable task) {
        workers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A stream as the chunks of an HTTP answer. */
    private static final class HttpStreamSink implements StreamSink {
        private final ChannelHandlerContext context;
        private final Channel connection;
        private final Runnable onEnd;

        HttpStreamSink(ChannelHandlerContext context, Channel connection, Runnable onEnd) {
            this.context = context;
            this.connection = connection;
            this.onEnd = onEnd;
        }

        @Override
        public void execute(Runnable task) {
            try {
                context.executor().execute(task);
            } catch (RejectedExecutionException e) {
                connection.close(); // the server stops, and with it this stream
            }
        }

        @Override
        public Runnable schedule(Duration delay, Runnable task) {
            Future<?> future = context.executor().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        }

        @Override
        public boolean isWritable() {
            return context.channel().isActive() && context.channel().isWritable();
        }

        @Override
        public void write(byte[] bytes) {
            context.write(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)));
        }

        @Override
        public void flush() {
            context.flush();
        }

        @Override
        public void end() {
            context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(future -> onEnd.run());
        }

        @Override
        public void cut() {
            context.flush();
            connection.close();
        }
    }
}
