package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.KindMetrics.Restart;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one scope of a kind current: lists it, watches it from there, and goes on after whatever happens. A thread of
 * its own does all the work; only {@link #stop} is called by others.
 *
 * <p>What was seen is never gone back behind: a watch goes on after the newest version seen (bookmarks included), a new
 * list must not be older than it, and an event that is not newer than what the store has is left out.
 */
final class Reflector {

    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);
    private static final Duration LIFETIME_GRACE = Duration.ofSeconds(30);
    private static final Duration STREAMED_LIST_IDLE = Duration.ofSeconds(15);
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(10);
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Scope scope;
    private final KindCache kind;
    private final CacheContext context;
    private final WatchOptions options;
    private final EntryReader reader;
    private final ServedKind served;
    private final ExpectedKind expected;
    private final Lister lister;
    private final Recovery recovery;
    private final WatchPosition position = new WatchPosition();
    private final EventIntake intake;
    private final Thread thread;

    private String verb = "list";
    private boolean listed;
    private boolean bookmarks;
    private boolean silent;
    private volatile boolean stopped;
    private volatile @Nullable ApiStream current;

    Reflector(Scope scope, KindCache kind, CacheContext context) {
        this.scope = scope;
        this.kind = kind;
        this.context = context;
        this.options = context.options().watch();
        this.reader = EntryReaders.create(scope.info(), context, kind.dictionaries());
        this.served = new ServedKind(scope, context.discovery());
        this.expected = new ExpectedKind(scope.info(), context.discovery());
        this.lister = new Lister(scope, this::stream, reader, expected, options);
        this.intake = new EventIntake(scope, kind, reader, position);
        this.recovery = new Recovery(scope, kind.state(), options, context.time(), context.log());
        this.thread = Threads.create("reflector-" + scope.info().resource(), this::run, true);
    }

    void start() {
        thread.start();
    }

    /** Makes the thread end soon. */
    void stop() {
        stopped = true;
        ApiStream open = current;
        if (open != null) {
            open.close();
        }
        thread.interrupt();
    }

    /** Whether it works, or was told to end. */
    boolean isAlive() {
        return stopped || thread.getState() == Thread.State.NEW || thread.isAlive();
    }

    void join() {
        if (!Threads.join(thread, JOIN_TIMEOUT)) {
            LOG.warn("The reflector of {} has not ended {} after it was stopped", scope, JOIN_TIMEOUT);
        }
    }

    /** Send a request whose response {@link #stop} can end. */
    private ApiStream stream(ApiRequest request) {
        if (stopped) {
            throw new IllegalStateException("The reflector of " + scope + " was stopped");
        }
        ApiStream stream = context.connection().stream(request);
        current = stream;
        if (stopped) {
            stream.close();
        }
        return stream;
    }

    /** Work until stopped, whatever is thrown: a thread that ended would leave the kind stale without a word. */
    private void run() {
        while (!stopped) {
            Duration pause = round();
            if (!stopped) {
                sleep(pause);
            }
        }
    }

    /** Sleep. An interrupt that does not come from {@link #stop} means nothing here. */
    private void sleep(Duration pause) {
        long end = System.nanoTime() + Nanos.of(pause);
        for (long left = Nanos.of(pause); left > 0 && !stopped; left = end - System.nanoTime()) {
            try {
                Thread.sleep(left / NANOS_PER_MILLI + 1);
            } catch (InterruptedException e) {
                continue;
            }
        }
        if (!stopped) {
            Thread.interrupted();
        }
    }

    /** List if necessary, watch until the watch ends, and return how long to wait then. */
    private Duration round() {
        try {
            listAndWatch();
            kind.metrics().restarted(silent ? Restart.IDLE : Restart.ENDED);
            Duration pause = recovery.ended(silent);
            listIfNecessary();
            return pause;
        } catch (Throwable e) { // an Error as well: one broken response must not leave the kind unwatched
            return stopped ? Duration.ZERO : recover(e);
        }
    }

    private void listAndWatch() throws IOException {
        verb = "list";
        served.check();
        if (!position.next().isEmpty()) {
            watch();
        } else if (!listByWatch()) {
            list();
            watch();
        }
    }

    private Duration recover(Throwable failure) {
        try {
            return failed(failure);
        } catch (Throwable e) { // no memory to describe it, or an exception that cannot be described
            return recovery.failedBadly(failure);
        }
    }

    private Duration failed(Throwable exception) {
        SyncFailure failure = SyncFailure.of(exception, scope, verb);
        if (failure.type() == SyncFailure.Type.MISSING) {
            served.forget();
        }
        if (failure.type() == SyncFailure.Type.GONE || failure.type() == SyncFailure.Type.MISSING) {
            position.lost();
        }
        Duration pause = recovery.failed(failure, exception);
        listIfNecessary();
        kind.metrics().restarted(restart(failure.type()));
        return pause;
    }

    private void listIfNecessary() {
        if (recovery.mustList()) {
            position.lost();
        }
    }

    private static Restart restart(SyncFailure.Type type) {
        if (type == SyncFailure.Type.GONE) {
            return Restart.GONE;
        }
        return type.requiresAction() ? Restart.REFUSED : Restart.FAILED;
    }

    private void list() throws IOException {
        verb = "list";
        Replacement replacement = new Replacement(kind.store(), scope);
        String version = lister.list(position.seen(), replacement);
        takeOver(replacement, version);
    }

    private void takeOver(Replacement replacement, String version) {
        kind.replace(scope, replacement, version, !listed);
        listed = true;
        position.passed(version);
        recovery.listed();
        kind.metrics().listed(replacement.size());
        LOG.debug("Listed {}: {} objects at version {}", scope, kind.store().size(), version);
    }

    /** Has the watch itself bring what there is; false if the server cannot do that. */
    private boolean listByWatch() throws IOException {
        if (!kind.listStreaming().isDue()) {
            return false;
        }
        ApiStream stream;
        try {
            stream = open(scope.watchList(position.seen(), lifetimeSeconds()));
        } catch (ApiException e) {
            if (Lister.isTooNew(e)) {
                return false; // the server is behind what was seen; a list finds out what it has
            }
            if (!StreamedList.isRefusal(e)) {
                throw e;
            }
            LOG.debug("The server does not stream lists: {}", e.getMessage());
            kind.listStreaming().failed();
            return false;
        }
        try (stream) {
            return followFromStart(stream);
        } catch (WatchError e) {
            if (!position.next().isEmpty() || !Lister.isTooNew(e)) {
                throw e; // it was listed, or something else is wrong
            }
            return false; // the server is behind what was seen, as above, and says so in the stream
        }
    }

    private boolean followFromStart(ApiStream stream) throws IOException {
        stream.idleTimeout(STREAMED_LIST_IDLE);
        WatchReader events = new WatchReader(new JsonScanner(stream), reader, expected);
        if (!takeStreamed(events)) {
            kind.listStreaming().failed();
            return false;
        }
        kind.listStreaming().worked();
        bookmarks = true;
        follow(stream, events);
        return true;
    }

    /** Apart from what follows, so that the list is not kept in memory for as long as the watch goes on. */
    private boolean takeStreamed(WatchReader events) throws IOException {
        Replacement replacement = new Replacement(kind.store(), scope);
        String version = new StreamedList(events, reader).read(replacement);
        if (version == null) {
            return false;
        }
        takeOver(replacement, version);
        return true;
    }

    private void watch() throws IOException {
        try (ApiStream stream = open(scope.watch(position.next(), lifetimeSeconds()))) {
            follow(stream, new WatchReader(new JsonScanner(stream), reader, expected));
        }
    }

    private ApiStream open(ApiRequest request) {
        verb = "watch";
        ApiStream stream = stream(request);
        recovery.opened();
        kind.metrics().watchOpened();
        return stream;
    }

    private long lifetimeSeconds() {
        long least = options.lifetimeMin().toSeconds();
        return Math.max(
                1,
                ThreadLocalRandom.current()
                        .nextLong(least, options.lifetimeMax().toSeconds() + 1));
    }

    /** Takes in events until the watch ends. */
    private void follow(ApiStream stream, WatchReader events) throws IOException {
        Duration silence = options.lifetimeMax().plus(LIFETIME_GRACE);
        silent = false;
        stream.idleTimeout(bookmarks ? options.idleTimeout() : silence);
        try {
            for (WatchReader.Type type = events.next(); type != null && !stopped; type = events.next()) {
                intake.take(type, events.header());
                recovery.delivered();
                if (type == WatchReader.Type.BOOKMARK) {
                    bookmarks = true;
                    stream.idleTimeout(options.idleTimeout());
                }
            }
        } catch (SocketTimeoutException e) {
            silent = true;
            LOG.debug("Nothing was heard of {} for too long; the watch is opened anew", scope);
        }
    }
}
