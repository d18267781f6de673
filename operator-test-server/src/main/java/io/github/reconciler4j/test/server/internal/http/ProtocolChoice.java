package io.github.reconciler4j.test.server.internal.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import java.util.function.Consumer;

/** Goes on with the version of HTTP that the client chose; a client that does not get that far is let go without a word. */
final class ProtocolChoice extends ApplicationProtocolNegotiationHandler {
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
