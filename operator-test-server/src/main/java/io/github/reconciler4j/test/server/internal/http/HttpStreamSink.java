package io.github.reconciler4j.test.server.internal.http;

import io.github.reconciler4j.test.server.internal.exchange.StreamSink;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A stream as the chunks of an HTTP answer. */
final class HttpStreamSink implements StreamSink {
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
