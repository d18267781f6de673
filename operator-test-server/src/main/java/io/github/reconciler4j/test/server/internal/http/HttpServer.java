package io.github.reconciler4j.test.server.internal.http;

import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.RequestHandler;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Listens on loopback and speaks HTTP/1.1, and HTTP/2 where TLS negotiates it. Requests are processed in threads of
 * their own, so that a slow one does not delay watches. Closing the server ends every connection and every thread.
 */
public final class HttpServer implements AutoCloseable {
    private static final int IO_THREADS = 2;
    private static final int BACKLOG = 1024;
    private static final int MAX_LINE = 1024 * 1024;
    private static final int MAX_CHUNK = 64 * 1024;

    private final HttpOptions options;
    private final RequestHandler handler;
    private final MultiThreadIoEventLoopGroup loops;
    private final ScheduledThreadPoolExecutor workers;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel listener;

    /**
     * Start to listen.
     *
     * @throws BindException if the port is taken
     */
    public HttpServer(HttpOptions options, RequestHandler handler) throws BindException, InterruptedException {
        this.options = options;
        this.handler = handler;
        loops = new MultiThreadIoEventLoopGroup(
                IO_THREADS, new DefaultThreadFactory("kubernetes-server-io", true), NioIoHandler.newFactory());
        workers = new ScheduledThreadPoolExecutor(options.workers(), workerNames());
        workers.setRemoveOnCancelPolicy(true);
        workers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        try {
            listener = bootstrap()
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port()))
                    .sync()
                    .channel();
        } catch (Throwable e) {
            stopThreads();
            throw e;
        }
    }

    private static ThreadFactory workerNames() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "kubernetes-server-worker-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    private ServerBootstrap bootstrap() {
        return new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        connections.add(channel);
                        configure(channel.pipeline());
                    }
                });
    }

    private void configure(ChannelPipeline pipeline) {
        if (options.tls() == null) {
            http1(pipeline);
            return;
        }
        pipeline.addLast(options.tls().newHandler(pipeline.channel().alloc()));
        pipeline.addLast(new ProtocolChoice(this::http1, this::http2));
    }

    private void http1(ChannelPipeline pipeline) {
        pipeline.addLast(new HttpServerCodec(MAX_LINE, MAX_LINE, MAX_CHUNK));
        pipeline.addLast(new BodyCollector(options.maxBody()));
        pipeline.addLast(new Exchanges(handler, workers, pipeline.channel()));
    }

    private void http2(ChannelPipeline pipeline) {
        Channel connection = pipeline.channel();
        pipeline.addLast(Http2FrameCodecBuilder.forServer().build());
        pipeline.addLast(new Http2MultiplexHandler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true));
                stream.pipeline().addLast(new BodyCollector(options.maxBody()));
                stream.pipeline().addLast(new Exchanges(handler, workers, connection));
            }
        }));
        pipeline.addLast(new Disconnect());
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    public int connections() {
        return connections.size();
    }

    public void cutConnections() {
        connections.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    }

    /** End it: no connection, no thread, and the port is free again. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        cutConnections();
        stopThreads();
    }

    private void stopThreads() {
        workers.shutdownNow();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    /**
     * The end of a connection's handlers: what went wrong before, such as a reset or a client that speaks something else, ends
     * the connection silently.
     */
    private static final class Disconnect extends ChannelInboundHandlerAdapter {
        Disconnect() {}

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** Continues with the negotiated version of HTTP. A failed handshake closes the connection silently. */
    private static final class ProtocolChoice extends ApplicationProtocolNegotiationHandler {
        private final Consumer<ChannelPipeline> http1;
        private final Consumer<ChannelPipeline> http2;

        ProtocolChoice(Consumer<ChannelPipeline> http1, Consumer<ChannelPipeline> http2) {
            super(ApplicationProtocolNames.HTTP_1_1);
            this.http1 = http1;
            this.http2 = http2;
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext context, String protocol) {
            Consumer<ChannelPipeline> chosen = protocol.equals(ApplicationProtocolNames.HTTP_2) ? http2 : http1;
            chosen.accept(context.pipeline());
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** Waits for the whole body of a request; one that is too large is refused with a {@code Status} and the connection ends. */
    private static final class BodyCollector extends HttpObjectAggregator {
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
            // a client that still sends would not see the response if the connection ended now
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
}
