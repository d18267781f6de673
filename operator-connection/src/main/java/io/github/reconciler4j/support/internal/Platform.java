package io.github.reconciler4j.support.internal;

import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The one place from which threads, timers, time, waits and sockets of the framework come. {@link Threads} and
 * {@link TimeSource#system} pass on to it; no other class of the framework, of the webhooks and of the starter creates or calls
 * such a thing itself, with few exceptions that a test of the architecture names.
 *
 * <p>A test overrides what it needs, and {@linkplain #replace replaces} the platform of the JVM. Where a constructor takes a
 * {@link TimeSource}, passing one is simpler. Implementations are thread-safe.
 *
 * @since 0.1.0
 */
public class Platform implements TimeSource {

    /** Takes a name and a task and returns an unstarted virtual thread; null if the JVM has none. */
    private static final @Nullable MethodHandle VIRTUAL = findVirtual();

    private static final Platform SYSTEM = new Platform();
    private static final AtomicBoolean REPLACED = new AtomicBoolean();
    private static volatile Platform current = SYSTEM;

    /** Create a platform that uses the system in all that is not overridden. */
    protected Platform() {}

    /** Return the platform of this JVM, which by default uses the system. */
    public static Platform current() {
        return current;
    }

    /** Return the time of the platform that this JVM has at the time of each call. */
    public static TimeSource time() {
        return CurrentTime.INSTANCE;
    }

    /** Return whether the JVM has virtual threads. */
    public static boolean hasVirtualThreads() {
        return VIRTUAL != null;
    }

    /**
     * Replace the platform of this JVM, for a test. What has been created before stays as it is.
     *
     * @throws IllegalStateException if another test has replaced it
     */
    public static Replacement replace(Platform replacement) {
        if (!REPLACED.compareAndSet(false, true)) {
            throw new IllegalStateException("The platform is replaced already: end the other test first");
        }
        current = replacement;
        return () -> restore(replacement);
    }

    private static void restore(Platform replacement) {
        if (current == replacement) {
            current = SYSTEM;
            REPLACED.set(false);
        }
    }

    /**
     * The time during which a platform is replaced.
     *
     * @since 0.1.0
     */
    @FunctionalInterface
    public interface Replacement extends AutoCloseable {

        /** Restore the platform that uses the system. Does nothing the second time. */
        @Override
        void close();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant instant() {
        return Instant.now();
    }

    /** Create a platform thread without starting it. */
    public Thread thread(String name, Runnable task) {
        return new Thread(task, name);
    }

    /** Create a virtual thread without starting it. Called only if the JVM {@linkplain #hasVirtualThreads has} them. */
    public Thread virtualThread(String name, Runnable task) {
        if (VIRTUAL == null) {
            throw new IllegalStateException("This JVM has no virtual threads");
        }
        try {
            return (Thread) VIRTUAL.invoke(name, task);
        } catch (Throwable e) {
            throw new IllegalStateException("Could not create the virtual thread '" + name + "'", e);
        }
    }

    /** Create a timer with one thread, which drops what it has not run when it is shut down. */
    public ScheduledExecutorService timer(ThreadFactory factory) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, factory);
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return timer;
    }

    /** Create a pool that starts a thread for each task if none is idle, and rejects tasks beyond the limit. */
    public ExecutorService pool(int maxThreads, long idleNanos, ThreadFactory factory) {
        return new ThreadPoolExecutor(
                0, maxThreads, idleNanos, TimeUnit.NANOSECONDS, new SynchronousQueue<>(), factory);
    }

    /** Run a task that never blocks after a delay, on a thread that runs nothing else than such tasks. */
    public void runLater(Runnable task, long nanos) {
        Later.TIMER.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    /** Wait until a thread has ended, at most for the given time; for no limit, give {@link Nanos#MAX}. */
    public void join(Thread thread, long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
    }

    /** Open a socket that is not connected. */
    public Socket openSocket() throws IOException {
        return SocketChannel.open().socket();
    }

    /** Open a socket that listens to no address yet. */
    public ServerSocket openServerSocket() throws IOException {
        return new ServerSocket();
    }

    /** {@code (name, task) -> Thread.ofVirtual().name(name).unstarted(task)}. */
    private static @Nullable MethodHandle findVirtual() {
        if (Runtime.version().feature() < 21) {
            return null; // 19 and 20 have the methods but need a flag
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandle builder = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual));
            MethodHandle name = lookup.findVirtual(ofVirtual, "name", MethodType.methodType(ofVirtual, String.class));
            MethodHandle unstarted =
                    lookup.findVirtual(ofVirtual, "unstarted", MethodType.methodType(Thread.class, Runnable.class));
            MethodHandle named = MethodHandles.foldArguments(name, builder);
            return MethodHandles.collectArguments(unstarted, 0, named);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /**
     * The timer for all of {@link #runLater}. The one that futures of the JDK share would do if callbacks of the application did not
     * run on it: one that blocks would stop the deadlines of all requests. A platform thread, because virtual ones wait for each
     * other if they are pinned. It ends when there is nothing to wait for.
     */
    private static final class Later {

        static final ScheduledThreadPoolExecutor TIMER = create();

        private static ScheduledThreadPoolExecutor create() {
            ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
                Thread thread = new Thread(null, task, "request-deadlines", 0, false);
                thread.setDaemon(true);
                return thread;
            });
            timer.setKeepAliveTime(10, TimeUnit.SECONDS);
            timer.allowCoreThreadTimeOut(true);
            return timer;
        }
    }

    /** Asks the current platform. */
    private enum CurrentTime implements TimeSource {
        INSTANCE;

        @Override
        public long nanoTime() {
            return current.nanoTime();
        }

        @Override
        public Instant instant() {
            return current.instant();
        }

        @Override
        public void onJump(Runnable listener) {
            current.onJump(listener);
        }

        @Override
        public void await(Condition condition) throws InterruptedException {
            current.await(condition);
        }

        @Override
        public void await(Condition condition, long nanos) throws InterruptedException {
            current.await(condition, nanos);
        }

        @Override
        public void awaitUninterruptibly(Condition condition) {
            current.awaitUninterruptibly(condition);
        }

        @Override
        public <T> @Nullable T poll(BlockingQueue<T> queue, long nanos) throws InterruptedException {
            return current.poll(queue, nanos);
        }

        @Override
        public boolean await(CountDownLatch latch, long nanos) throws InterruptedException {
            return current.await(latch, nanos);
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            current.sleep(nanos);
        }

        @Override
        public void park(Object blocker, long nanos) {
            current.park(blocker, nanos);
        }
    }
}
