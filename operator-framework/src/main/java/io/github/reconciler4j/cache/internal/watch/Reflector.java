package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.metrics.KindMetrics;
import io.github.reconciler4j.cache.internal.metrics.KindMetrics.Restart;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore.Missing;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one scope of a kind current: lists it, watches it from there, and recovers from every failure.
 *
 * <h2>The loop</h2>
 *
 * <p>A thread of its own does all the work; the other methods only set flags and end what the thread is reading. Each round opens
 * one watch and reads it to its end:
 *
 * <ul>
 *   <li>With a position, the watch resumes after it.
 *   <li>Without one, the watch streams the initial objects, or a list fetches them and the watch starts at its version.
 *       {@link ListChoice} says which.
 * </ul>
 *
 * <p>After each round {@link Recovery} says how long to wait and whether the {@link WatchPosition} can still be trusted.
 *
 * <h2>What counts as a response</h2>
 *
 * <p>Everything that is read is checked to be about the kind ({@link ExpectedKind}). A list counts only when it has been read to
 * its end and has a version, a streamed list only with the bookmark that ends it. Before that nothing reaches the store: objects
 * are collected in a {@link ListSnapshot}, and an incomplete one is dropped: it would look like the deletion of everything.
 *
 * <h2>Bodies</h2>
 *
 * <p>A reflector can start with metadata only. {@link #fetchBodies} makes it list again with bodies: it ends the stream that is
 * being read, which the thread notices as a failed read, and loses the position. The stored metadata stays readable meanwhile.
 *
 * <p>{@link #partsChanged} works in the same way: the thread notices, lets the store remove what was lost, and resumes the watch
 * with another selector. What was gained it lists in its newest state, which contains all that the process wrote that had it
 * before: alone if the API server can select it, else with everything else. It watches nothing while it holds nothing.
 *
 * <h2>Failures</h2>
 *
 * <p>The thread ends when it is stopped and for no other reason. Anything thrown while listing, watching or storing, an {@code
 * Error} included, ends the round, becomes the failure of the scope in {@link SyncState}, and is retried with backoff. Interrupts
 * mean nothing unless the reflector was stopped; transforms and index functions, which run on this thread, can leave some.
 *
 * <p>{@link Recovery} decides for how long a stream may deliver nothing, {@link RequestPace} how often requests are sent at most.
 *
 * <h2>Threads and memory</h2>
 *
 * <p>All fields belong to the thread, except {@code stopped}, {@code bodies} and {@code current}, which are volatile. {@link
 * #stop} and {@link #fetchBodies} set their flag before they read {@code current}, and the held parts are changed before {@link
 * #partsChanged}; the thread sets {@code current} before it reads the flags and the parts. So one of the two always sees the
 * other, and a stream that is opened too late is closed at once. No lock is held while it reads or stores; the store publishes.
 *
 * @since 0.1.0
 */
public final class Reflector {

    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);
    private static final Duration STREAMED_LIST_IDLE = Duration.ofSeconds(15);
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(10);

    private final Scope scope;
    private final Context context;
    private final Kind kind;
    private final ReflectorStore store;
    private final BooleanSupplier newest;
    private final ExpectedKind expected;
    private final Lister lister;
    private final Recovery recovery;
    private RequestPace pace;
    private final WatchGaps gaps;
    private final Thread thread;
    private final WatchPosition position = new WatchPosition();
    /** What the store selects; null before the first round. */
    private @Nullable PartFilter parts;

    private Missing missing = Missing.ALL;
    private String verb = "list";
    private boolean bookmarks;
    private boolean idle;
    private boolean withBodies;

    private EntryReader reader;
    private volatile boolean stopped;
    private volatile boolean bodies;
    private volatile @Nullable ApiStream current;

    /**
     * What all reflectors of a cache share.
     *
     * @param connection sends requests
     * @param discovery says what the API server serves
     * @param options how to list and watch
     * @param strings shares strings
     * @param time the clock
     * @param log limits what is logged
     * @since 0.1.0
     */
    public record Context(
            ApiConnection connection,
            Discovery discovery,
            WatchOptions options,
            StringInterner strings,
            TimeSource time,
            LogLimiter log) {}

    /**
     * What all reflectors of a kind share.
     *
     * @param state receives progress and failures
     * @param metrics counts
     * @param lists says how the initial objects are read
     * @param readers create readers of objects
     * @param parts returns which objects belong to the held parts now
     * @since 0.1.0
     */
    public record Kind(
            SyncState state,
            KindMetrics metrics,
            ListChoice lists,
            EntryReader.Factory readers,
            Supplier<PartFilter> parts) {}

    /**
     * Create a reflector; {@link #start} starts it.
     *
     * @param newest returns whether the first list must be the newest, because this program has written the kind; called
     *     when it is requested, unless it is read in pages, which always are the newest
     * @param bodies whether to ask for whole objects, or for metadata
     */
    public Reflector(
            Scope scope, Context context, Kind kind, ReflectorStore store, BooleanSupplier newest, boolean bodies) {
        this.scope = scope;
        this.context = context;
        this.kind = kind;
        this.store = store;
        this.newest = newest;
        this.bodies = bodies;
        this.withBodies = bodies;
        this.reader = kind.readers().create(bodies);
        this.expected = new ExpectedKind(scope.info(), context.discovery());
        this.gaps = new WatchGaps(scope, kind.metrics());
        this.pace = new RequestPace(context.options(), TimeSource.system());
        Lister.Waits waits = new Lister.Waits(wait -> rest(Nanos.of(wait)), () -> pace.allow(1));
        this.lister = new Lister(scope, this::stream, context.options(), context.strings(), expected, waits);
        LongSupplier answers = context.connection()::answers;
        this.recovery = new Recovery(scope, kind.state(), context.options(), context.time(), context.log(), answers);
        this.thread = Threads.create("reflector-" + scope.info().resource(), this::run, true);
    }

    /** Wait with another clock, before the start. */
    void waitWith(TimeSource clock) {
        pace = new RequestPace(context.options(), clock);
    }

    /** Start the thread. */
    public void start() {
        thread.start();
    }

    /** Make the thread end soon. */
    public void stop() {
        stopped = true;
        endStream();
        thread.interrupt();
    }

    /** List again with bodies, unless that was asked for before. */
    public void fetchBodies() {
        if (!bodies) {
            bodies = true;
            endStream();
            LockSupport.unpark(thread);
        }
    }

    /** Notice soon that other parts are held. */
    public void partsChanged() {
        endStream();
        LockSupport.unpark(thread);
    }

    private void endStream() {
        ApiStream open = current;
        if (open != null) {
            open.close();
        }
    }

    /** Return whether the thread works, or was stopped. */
    public boolean isAlive() {
        return stopped || Threads.isAlive(thread);
    }

    /** Wait for the end of the thread. */
    public void join() {
        if (!Threads.join(thread, JOIN_TIMEOUT)) {
            LOG.warn("The reflector of {} is still running {} after it was stopped", scope, JOIN_TIMEOUT);
        }
    }

    private void run() {
        while (!stopped) {
            Duration pause = round();
            if (!stopped) {
                sleep(Nanos.of(pause), recovery::shortened);
            }
        }
    }

    /** Sleep until stopped, or until bodies or other parts are needed. */
    private void sleep(long nanos, LongUnaryOperator shorten) {
        pace.sleep(nanos, this::isWanted, () -> stopped, shorten, recovery::nanosToCheck);
    }

    private void rest(long nanos) {
        sleep(nanos, left -> left);
    }

    /** Wait until a request may be sent, and count it. */
    private void takeTurn() {
        rest(pace.nanosUntilNext());
        pace.sent(1);
    }

    /** List if necessary, watch until the watch ends, and return how long to wait then. */
    private Duration round() {
        try {
            chooseForm();
            PartFilter filter = chooseParts();
            verb = "list";
            recovery.started();
            expected.checkServed(this::takeTurn);
            if (filter.selectsNothing(scope.namespace())) {
                watchNothing();
            } else {
                listAndWatch();
            }
            if (!isWanted()) {
                return Duration.ZERO;
            }
            gaps.restarted(idle ? Restart.IDLE : Restart.ENDED);
            Duration pause = recovery.ended(idle);
            listIfNecessary();
            return pause;
        } catch (Throwable e) { // an Error as well: one broken response must not leave the kind unwatched
            return isWanted() ? recover(e) : Duration.ZERO;
        }
    }

    /** Return whether what the current round reads is still wanted. */
    private boolean isWanted() {
        return !stopped && bodies == withBodies && kind.parts().get() == parts;
    }

    private void chooseForm() {
        if (bodies != withBodies) {
            pace.allow(RequestPace.OWN);
            withBodies = bodies;
            reader = kind.readers().create(withBodies);
            position.lose(false);
        }
    }

    private PartFilter chooseParts() {
        PartFilter wanted = kind.parts().get();
        if (wanted != parts) {
            pace.allow(RequestPace.OWN);
            missing = store.select(wanted);
            if (missing == Missing.GAINED && position.isKnown()) {
                position.mustBeNewest();
            } else if (missing != Missing.NOTHING) {
                position.lose(parts != null || wanted != PartFilter.ALL); // another process may have written last
            }
        }
        parts = wanted;
        return wanted;
    }

    private void watchNothing() {
        position.lose(false);
        recovery.listed();
        store.selectedNothing();
        rest(Nanos.MAX);
    }

    private void listAndWatch() throws IOException {
        if (position.isKnown() && missing != Missing.NOTHING) {
            list(Missing.GAINED);
        }
        if (position.isKnown()) {
            watch();
        } else if (!listByWatch()) {
            list(Missing.ALL);
            watch();
        }
    }

    private Duration recover(Throwable exception) {
        try {
            return failed(exception);
        } catch (Throwable e) { // no memory to describe it, or an exception that cannot be described
            return recovery.failedUndescribed(exception);
        }
    }

    private Duration failed(Throwable exception) {
        SyncFailure failure = SyncFailure.of(exception, scope, verb);
        if (failure.type() == SyncFailure.Type.MISSING) {
            expected.missing();
            pace.sent(RequestPace.DISCOVERY);
        }
        if (failure.type() == SyncFailure.Type.GONE || failure.type() == SyncFailure.Type.MISSING) {
            position.lose(false);
        }
        Duration pause = recovery.failed(failure, exception);
        listIfNecessary();
        gaps.restarted(failure.type().restart());
        return pause;
    }

    private void listIfNecessary() {
        if (recovery.mustList()) {
            position.lose(false);
        }
    }

    /** Send a request whose response {@link #stop} and {@link #fetchBodies} can end. */
    private ApiStream stream(ApiRequest request) {
        takeTurn();
        if (!isWanted()) {
            throw new IllegalStateException("The stream of " + scope + " is not wanted any more");
        }
        ApiStream stream = context.connection().stream(request);
        current = stream;
        if (!isWanted()) {
            stream.close();
        }
        return stream;
    }

    private void list(Missing what) throws IOException {
        verb = "list";
        ListSnapshot list = store.newList(what, withBodies);
        Lister.Progress progress = progressOf(list);
        String bound = position.bound(newest.getAsBoolean() ? "" : "0");
        String version = lister.list(kind.lists(), bound, new Lister.Target(list, reader, progress));
        store(what, list, version, progress);
    }

    private void store(Missing what, ListSnapshot list, String version, Lister.Progress progress) throws IOException {
        list.checkPlausible();
        if (what == Missing.ALL) {
            store.replace(list, version);
            position.listed(version);
            recovery.listed();
        } else if (store.add(list, version)) {
            position.added(version);
            recovery.gained();
        } else {
            position.lose(true);
            return;
        }
        missing = Missing.NOTHING;
        kind.metrics().filtered(list.filtered());
        kind.metrics().listed(list.size());
        progress.done(version);
    }

    private Lister.Progress progressOf(ListSnapshot list) {
        return new Lister.Progress(scope, list, kind.state(), context.connection(), context.time());
    }

    /** Let the watch stream the initial objects and follow it; false if the API server cannot do that. */
    private boolean listByWatch() throws IOException {
        if (!kind.lists().isStreamed()) {
            return false;
        }
        ApiStream stream;
        try {
            stream = open(scope.watchList(position.bound(""), recovery.lifetimeSeconds(), form()));
        } catch (ApiException e) {
            if (Lister.isTooNew(e)) {
                return false; // the server is behind what was seen; a list finds out what it has
            }
            if (!Lister.isStreamingRefused(e)) {
                throw e;
            }
            LOG.debug("The API server does not stream lists: {}", e.getMessage());
            kind.lists().streamFailed();
            return false;
        }
        try (stream) {
            return followFromStart(stream);
        } catch (ApiException e) {
            if (position.isKnown() || !Lister.isTooNew(e)) {
                throw e; // it was listed, or something else is wrong
            }
            return false; // the server is behind what was seen, as above, and says so in the stream
        }
    }

    private boolean followFromStart(ApiStream stream) throws IOException {
        stream.idleTimeout(STREAMED_LIST_IDLE);
        WatchReader events = reader(stream);
        if (!readInitial(events)) {
            kind.lists().streamFailed();
            return false;
        }
        kind.lists().streamed();
        bookmarks = true;
        follow(stream, events);
        return true;
    }

    /** Separate from what follows, so that the list is not kept in memory for as long as the watch lasts. */
    private boolean readInitial(WatchReader events) throws IOException {
        ListSnapshot list = store.newList(Missing.ALL, withBodies);
        Lister.Progress progress = progressOf(list);
        String version = events.readInitial(list, progress::step);
        if (version == null) {
            return false;
        }
        store(Missing.ALL, list, version, progress);
        return true;
    }

    private void watch() throws IOException {
        try (ApiStream stream = open(scope.watch(position.next(), recovery.lifetimeSeconds(), form()))) {
            follow(stream, reader(stream));
        }
    }

    private WatchReader reader(ApiStream stream) {
        return new WatchReader(new JsonReader(stream, context.strings()), reader, expected, this::setAside);
    }

    private void setAside(SetAside object) {
        store.setAside(object);
        position.passed(object.version());
    }

    private Scope.Form form() {
        return new Scope.Form(withBodies, parts == null ? "" : parts.selector());
    }

    private ApiStream open(ApiRequest request) {
        verb = "watch";
        ApiStream stream = stream(request);
        recovery.opened();
        gaps.opened();
        return stream;
    }

    /** Store events until the watch ends. */
    private void follow(ApiStream stream, WatchReader events) throws IOException {
        idle = false;
        stream.idleTimeout(recovery.idleTimeout(bookmarks));
        try {
            for (WatchReader.Type type = events.next(); type != null && !stopped; type = events.next()) {
                String version = events.header().version();
                if (type == WatchReader.Type.BOOKMARK) {
                    store.bookmark(version);
                    bookmarks = true;
                    stream.idleTimeout(recovery.idleTimeout(true));
                } else {
                    store.event(type, events.header(), reader);
                }
                position.passed(version);
                recovery.delivered();
            }
        } catch (SocketTimeoutException e) {
            idle = true;
            LOG.debug("Nothing was received of {} for too long; resuming the watch", scope);
        }
    }
}
