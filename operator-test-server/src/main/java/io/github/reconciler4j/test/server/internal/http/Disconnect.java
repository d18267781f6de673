package io.github.reconciler4j.test.server.internal.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * The end of a connection's handlers: what went wrong before, such as a reset or a client that speaks something else, ends
 * the connection. There is nothing to tell anyone.
 */
final class Disconnect extends ChannelInboundHandlerAdapter {
    Disconnect() {}

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
