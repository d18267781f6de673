package io.github.reconciler4j.test.server.internal.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Listens on loopback and speaks HTTP/1.1, and HTTP/2 where TLS negotiates it. Requests are worked on in threads of
 * their own, so that a slow one holds up nobody's watch. Closing it ends every connection and every thread.
 *
 * @since 0.1.0
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
     * Starts to listen.
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
                        begin(channel.pipeline());
                    }
                });
    }

    private void begin(ChannelPipeline pipeline) {
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

    /** The port it listens on. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** How many connections are open. */
    public int connections() {
        return connections.size();
    }

    /** Closes every connection; new ones are accepted. */
    public void cutConnections() {
        connections.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    }

    /** Ends it: no connection, no thread, and the port is free again. */
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
}
