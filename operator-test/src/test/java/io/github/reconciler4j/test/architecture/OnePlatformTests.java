package io.github.reconciler4j.test.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.channels.SocketChannel;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;

class OnePlatformTests {

    private static List<String> violations(Class<?> type, Map<String, String> exceptions) {
        return OnePlatform.isUsed(exceptions)
                .evaluate(new ClassFileImporter().importClasses(type))
                .getFailureReport()
                .getDetails();
    }

    private static void assertForbids(Class<?> type, String... uses) {
        List<String> found = violations(type, Map.of()).stream()
                .map(text -> text.substring(text.indexOf('\'') + 1, text.indexOf("':")))
                .map(text -> text.substring("OnePlatformTests ".length()))
                .distinct()
                .toList();
        assertThat(found).containsExactlyInAnyOrder(uses);
    }

    @SuppressWarnings("unused")
    private static final class Creates {

        static final class Own extends Thread {}

        Object threads() {
            return List.of(new Thread(() -> {}), new Own());
        }

        Object timers() {
            return List.of(new Timer(), new ScheduledThreadPoolExecutor(1));
        }

        Object pools() {
            CompletableFuture<Void> async = CompletableFuture.runAsync(() -> {});
            return List.of(Executors.newCachedThreadPool(), ForkJoinPool.commonPool(), async);
        }

        Object delayed() {
            return CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
        }

        long parallel(List<String> texts) {
            return texts.parallelStream().count();
        }
    }

    @Test
    void ruleWhenThreadsAndTimersAreCreatedFails() {
        assertForbids(
                Creates.class,
                "new Thread",
                "new Own",
                "new Timer",
                "new ScheduledThreadPoolExecutor",
                "Executors.newCachedThreadPool",
                "ForkJoinPool.commonPool",
                "CompletableFuture.runAsync",
                "CompletableFuture.delayedExecutor",
                "List.parallelStream");
    }

    @SuppressWarnings({"unused", "WaitNotInLoop"})
    private static final class Waits {

        private final Condition condition = new ReentrantLock().newCondition();

        void sleep() throws InterruptedException {
            Thread.sleep(1);
            TimeUnit.SECONDS.sleep(1);
            LockSupport.park();
            LockSupport.parkNanos(this, 1);
        }

        synchronized void objects() throws InterruptedException {
            wait();
            wait(1);
        }

        void conditions() throws InterruptedException {
            condition.await();
            condition.awaitUninterruptibly();
            condition.awaitNanos(1);
        }

        void others(Thread thread, Process process, BlockingQueue<String> queue, Future<?> future) throws Exception {
            thread.join();
            process.waitFor(1, TimeUnit.SECONDS);
            queue.poll(1, TimeUnit.SECONDS);
            future.get(1, TimeUnit.SECONDS);
        }

        boolean limits(CountDownLatch latch, Semaphore permits, ReentrantLock lock) throws InterruptedException {
            return latch.await(1, TimeUnit.SECONDS)
                    && permits.tryAcquire(1, TimeUnit.SECONDS)
                    && lock.tryLock(1, TimeUnit.SECONDS);
        }
    }

    @Test
    void ruleWhenThreadsWaitFails() {
        assertForbids(
                Waits.class,
                "Thread.sleep",
                "TimeUnit.sleep",
                "LockSupport.park",
                "LockSupport.parkNanos",
                "Object.wait",
                "Condition.await",
                "Condition.awaitUninterruptibly",
                "Condition.awaitNanos",
                "Thread.join",
                "Process.waitFor",
                "BlockingQueue.poll",
                "Future.get",
                "CountDownLatch.await",
                "Semaphore.tryAcquire",
                "ReentrantLock.tryLock");
    }

    @SuppressWarnings({"unused", "JavaUtilDate", "JavaTimeDefaultTimeZone"})
    private static final class AsksTheTime {

        Object clocks() {
            LongSupplier reference = System::nanoTime;
            return List.of(reference, System.currentTimeMillis(), Clock.systemUTC(), new Date());
        }

        Object now() {
            return List.of(Instant.now(), LocalDate.now());
        }
    }

    @Test
    void ruleWhenTheTimeIsAskedForFails() {
        assertForbids(
                AsksTheTime.class,
                "System.nanoTime",
                "System.currentTimeMillis",
                "Clock.systemUTC",
                "new Date",
                "Instant.now",
                "LocalDate.now");
    }

    @SuppressWarnings({"unused", "AddressSelection"})
    private static final class OpensSockets {

        Object sockets() throws IOException {
            return List.of(new Socket("localhost", 1), new ServerSocket(1), SocketChannel.open());
        }

        Object encrypted() throws IOException {
            return SSLSocketFactory.getDefault().createSocket("localhost", 1);
        }

        Object clients(URI uri) throws IOException {
            return List.of(HttpClient.newHttpClient(), uri.toURL().openStream());
        }
    }

    @Test
    void ruleWhenSocketsAreOpenedFails() {
        assertForbids(
                OpensSockets.class,
                "new Socket",
                "new ServerSocket",
                "SocketChannel.open",
                "SocketFactory.createSocket",
                "HttpClient.newHttpClient",
                "URL.openStream");
    }

    @SuppressWarnings("unused")
    private static final class UsesWhatItIsGiven {

        Object asks(Clock clock, Date date) {
            return List.of(Instant.now(clock), Duration.ofSeconds(1), new Date(date.getTime()), date.toInstant());
        }

        void runs(Executor executor, ScheduledExecutorService timer, Callable<String> task) {
            executor.execute(() -> {});
            timer.schedule(task, 1, TimeUnit.SECONDS);
            CompletableFuture.runAsync(() -> {}, executor).join();
        }

        Object wraps(SSLSocketFactory tls, Socket socket) throws IOException {
            Thread.currentThread().interrupt();
            return tls.createSocket(socket, "localhost", 1, true);
        }
    }

    @Test
    void ruleWhenGivenThingsAreUsedPasses() {
        assertThat(violations(UsesWhatItIsGiven.class, Map.of())).isEmpty();
    }

    @SuppressWarnings("unused")
    private static final class Sleeps {

        void pause(Thread thread) throws InterruptedException {
            Thread.sleep(1);
            thread.join();
        }
    }

    @Test
    void exceptionWhenNamedAllowsOneUseAndNoOther() {
        assertThat(violations(Sleeps.class, Map.of("OnePlatformTests Thread.sleep", "waits for another program")))
                .singleElement()
                .asString()
                .contains("'OnePlatformTests Thread.join'");
    }

    @Test
    void exceptionWhenNothingNeedsItFails() {
        Map<String, String> reasons = Map.of("OnePlatformTests Thread.sleep", "forgotten");
        assertThat(violations(UsesWhatItIsGiven.class, reasons))
                .singleElement()
                .asString()
                .isEqualTo("Nothing needs these exceptions: OnePlatformTests Thread.sleep");
    }
}
