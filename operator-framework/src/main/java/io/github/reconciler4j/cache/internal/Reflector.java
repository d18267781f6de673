package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.KindMetrics.Restart;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
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
    /** After this many failed watches in a row that brought nothing, the version itself may be what is wrong. */
    private static final int FAILURES_BEFORE_RELIST = 4;
    /**
     * A server that says nothing at all for so long, not even a bookmark, may have been set back to before the version
     * asked for (an etcd restored from a backup): it is silent until it has counted up to there. A list tells.
     */
    private static final int SILENCES_BEFORE_RELIST = 2;

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
    private int silences;
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
        this.lister = new Lister(scope, context.connection(), reader, expected, options, this::opened);
        this.intake = new EventIntake(scope, kind, reader, position);
        this.recovery = new Recovery(scope, kind.state(), options);
        this.thread = Threads.unstarted("reflector-" + scope.info().resource(), this::run);
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

    private void opened(ApiStream stream) {
        current = stream;
        if (stopped) {
            stream.close();
        }
    }

    private void run() {
        while (!stopped) {
            Duration pause = round();
            if (!stopped && !pause.isZero()) {
                try {
                    Thread.sleep(pause.toMillis());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt(); // only stop interrupts
                    return;
                }
            }
        }
    }

    /** Lists if need be, watches until the watch ends, and says how long to pause then. */
    private Duration round() {
        try {
            verb = "list";
            served.check();
            if (!position.next().isEmpty()) {
                watch();
            } else if (!listByWatch()) {
                list();
                watch();
            }
            kind.metrics().restarted(silent ? Restart.IDLE : Restart.ENDED);
            return recovery.ended();
        } catch (Throwable e) { // also an Error: one broken answer must not leave the kind unwatched
            return stopped ? Duration.ZERO : failed(e);
        }
    }

    private Duration failed(Throwable failure) {
        SyncFailure trouble = SyncFailure.of(failure, scope, verb);
        if (trouble.type() == SyncFailure.Type.MISSING) {
            served.forget();
        }
        boolean refused = trouble.code() != 0 && recovery.failuresInRow() >= FAILURES_BEFORE_RELIST;
        if (trouble.type() == SyncFailure.Type.GONE || trouble.type() == SyncFailure.Type.MISSING || refused) {
            position.lost();
        }
        kind.metrics().restarted(restart(trouble.type()));
        return recovery.failed(trouble, failure);
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
        silences = 0;
        position.passed(version);
        recovery.works();
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
        ApiStream stream = context.connection().stream(request);
        recovery.opened();
        kind.metrics().watchOpened();
        opened(stream);
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
                recovery.works();
                silences = 0;
                if (type == WatchReader.Type.BOOKMARK) {
                    bookmarks = true;
                    stream.idleTimeout(options.idleTimeout());
                }
            }
        } catch (SocketTimeoutException e) {
            silent = true;
            LOG.debug("Nothing was heard of {} for too long; the watch is opened anew", scope);
        }
        if (recovery.wasSilentFor(options.idleTimeout()) && ++silences >= SILENCES_BEFORE_RELIST) {
            position.lost();
        }
    }
}
