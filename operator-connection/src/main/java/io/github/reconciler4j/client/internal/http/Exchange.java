package io.github.reconciler4j.client.internal.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A request under way and the means to end it. The calling thread does all the work; any thread may end it by closing the
 * channel, which ends every blocking operation on it.
 */
final class Exchange {

    /** The deadline of an exchange that may take any time. */
    static final long NEVER = Long.MAX_VALUE;

    private volatile long deadline;
    private volatile long connectDeadline = NEVER;
    private volatile @Nullable SocketChannel channel;
    private volatile boolean expired;
    private volatile boolean connectExpired;
    private volatile boolean aborted;

    /**
     * Create an exchange.
     *
     * @param deadline when to end it, in {@link System#nanoTime}; {@link #NEVER} for no limit
     */
    Exchange(long deadline) {
        this.deadline = deadline;
    }

    /** Return the next point in time at which the exchange must be ended. */
    long deadline() {
        long connecting = connectDeadline;
        return connecting == NEVER || deadline != NEVER && deadline - connecting < 0 ? deadline : connecting;
    }

    /** Remove the time limit. */
    void removeDeadline() {
        deadline = NEVER;
    }

    /** Set until when a connection must be open. */
    void connectUntil(long newDeadline) {
        connectDeadline = newDeadline;
    }

    /** Remove the time limit of opening a connection. */
    void connected() {
        connectDeadline = NEVER;
    }

    boolean isConnectExpired() {
        return connectExpired;
    }

    /** Set the channel that the exchange uses from now on. An exchange that has ended closes it at once. */
    void use(SocketChannel newChannel) {
        channel = newChannel;
        if (expired || connectExpired || aborted) {
            close(newChannel);
        }
    }

    /** End the exchange if its time is up. */
    void expire(long now) {
        long limit = deadline;
        if (limit != NEVER && limit - now <= 0) {
            expired = true;
        } else if (connectDeadline != NEVER) {
            connectExpired = true;
        } else {
            return; // the limit has been removed meanwhile
        }
        closeChannel();
    }

    /** End the exchange because its response is not needed anymore. */
    void abort() {
        aborted = true;
        closeChannel();
    }

    boolean isAborted() {
        return aborted;
    }

    /**
     * Throw the reason why the exchange ended, if it did.
     *
     * @throws SocketTimeoutException if its time is up
     * @throws InterruptedIOException if the thread is interrupted; an interrupt closes the channel too
     */
    void check() throws IOException {
        if (expired) {
            throw new SocketTimeoutException("The time limit of the request has passed");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("Interrupted while waiting for the server");
        }
    }

    private void closeChannel() {
        SocketChannel current = channel;
        if (current != null) {
            close(current);
        }
    }

    /** Close a channel; never blocks. */
    static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed nevertheless.
        }
    }
}
