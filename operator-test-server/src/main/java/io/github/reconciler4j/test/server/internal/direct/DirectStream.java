package io.github.reconciler4j.test.server.internal.direct;

import io.github.reconciler4j.test.server.internal.exchange.StreamSink;
import io.github.reconciler4j.test.server.internal.exchange.StreamSource;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A stream that is written by the one thread of the executor, whose fields belong to it, and read by the caller. */
final class DirectStream implements StreamSink {
    private final ScheduledExecutorService thread;
    private final StreamSource source;
    private final Consumer<DirectStream> onGone;
    private final DirectBody body = new DirectBody(this::writable, this::gone);
    private boolean gone;

    /**
     * Create it.
     *
     * @param onGone called once when it has ended, in the thread of the executor
     */
    DirectStream(ScheduledExecutorService thread, StreamSource source, Consumer<DirectStream> onGone) {
        this.thread = thread;
        this.source = source;
        this.onGone = onGone;
    }

    DirectBody body() {
        return body;
    }

    /** Let the source write from now on. */
    void open() {
        execute(() -> source.open(this));
    }

    private void writable() {
        execute(source::writable);
    }

    private void gone() {
        execute(() -> {
            gone = true;
            source.closed();
            onGone.accept(this);
        });
    }

    @Override
    public void execute(Runnable task) {
        try {
            thread.execute(() -> {
                if (!gone) {
                    task.run();
                }
            });
        } catch (RejectedExecutionException e) {
            body.fail(DirectTransport.CLOSED); // the server stops, and with it this stream
        }
    }

    @Override
    public Runnable schedule(Duration delay, Runnable task) {
        Future<?> future = thread.schedule(
                () -> {
                    if (!gone) {
                        task.run();
                    }
                },
                delay.toNanos(),
                TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public boolean isWritable() {
        return !gone && body.hasRoom();
    }

    @Override
    public void write(byte[] bytes) {
        body.add(bytes);
    }

    @Override
    public void flush() {
        // What is written can be read at once.
    }

    @Override
    public void end() {
        body.end();
        gone();
    }

    @Override
    public void cut() {
        body.fail("The connection ended before the response did");
        gone();
    }
}
