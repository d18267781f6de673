package io.github.reconciler4j.test.server.internal.http;

import io.github.reconciler4j.test.server.internal.exchange.Answer;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
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

/** One request and its answer. Answers may come from any thread; all fields belong to the connection's thread. */
final class Exchange implements RequestHandler.Reply {
    private final ChannelHandlerContext context;
    private final Channel connection;
    private final ScheduledExecutorService workers;
    private final boolean head;
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
        this.head = request.method().equals("HEAD");
        this.keepAlive = keepAlive;
        this.onDone = onDone;
    }

    @Override
    public void send(Answer answer) {
        try {
            run(() -> {
                if (answer instanceof Answer.Whole whole) {
                    sendWhole(whole);
                } else if (answer instanceof Answer.Stream stream) {
                    sendStream(stream);
                }
            });
        } catch (RejectedExecutionException e) { // the server was stopped while the answer was held back
            if (answer instanceof Answer.Stream stream) {
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

    private void sendWhole(Answer.Whole answer) {
        if (done) {
            return;
        }
        ByteBuf body = body(answer.body());
        int length = body.readableBytes();
        if (head) {
            body.release();
            body = Unpooled.EMPTY_BUFFER;
        }
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status(answer), body);
        describe(response, answer, answer.contentType());
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
        if (!keepAlive) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        finish();
        context.writeAndFlush(response).addListener(future -> {
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

    private static HttpResponseStatus status(Answer answer) {
        return HttpResponseStatus.valueOf(answer.status());
    }

    private static void describe(HttpResponse response, Answer answer, String contentType) {
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        response.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-cache, private");
        answer.headers().forEach(header -> response.headers().add(header.getKey(), header.getValue()));
    }

    private void sendStream(Answer.Stream answer) {
        StreamSource from = answer.source();
        if (done || !context.channel().isActive()) {
            from.closed();
            return;
        }
        DefaultHttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status(answer));
        describe(response, answer, answer.contentType());
        response.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        context.write(response);
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

    /** The connection takes data again. */
    void writable() {
        if (source != null) {
            source.writable();
        }
    }

    /** The connection is gone. */
    void closed() {
        StreamSource ended = source;
        finish();
        if (ended != null) {
            ended.closed();
        }
    }

    @Override
    public void sendPartOf(Answer.Whole answer) {
        run(() -> {
            if (done) {
                return;
            }
            ByteBuf body = body(answer.body());
            DefaultHttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status(answer));
            describe(response, answer, answer.contentType());
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            finish();
            context.write(response);
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
