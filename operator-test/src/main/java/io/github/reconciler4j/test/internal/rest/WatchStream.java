package io.github.reconciler4j.test.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.internal.error.StatusException;
import io.github.reconciler4j.test.internal.exchange.StreamSink;
import io.github.reconciler4j.test.internal.exchange.StreamSource;
import io.github.reconciler4j.test.internal.json.Json;
import io.github.reconciler4j.test.internal.render.Renderer;
import io.github.reconciler4j.test.internal.storage.Change;
import io.github.reconciler4j.test.internal.storage.ChangeReader;
import io.github.reconciler4j.test.internal.storage.HistoryGoneException;
import io.github.reconciler4j.test.internal.storage.ResourceId;
import io.github.reconciler4j.test.internal.storage.StoredObject;
import io.github.reconciler4j.test.internal.storage.VersionedStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One watch. It keeps its place in the history of the resource and sends on when there is something to send and the
 * client takes it; nothing is queued for a slow client. Runs in the thread of its connection.
 */
final class WatchStream implements StreamSource {
    /**
     * What a watch is to send besides changes.
     *
     * @param initial objects to send first, as added
     * @param from the version after which changes are sent
     * @param marksInitialEnd whether a bookmark follows the initial objects
     * @param bookmarks whether bookmarks come now and then
     * @param interval how often
     * @param timeout when to end
     */
    record Plan(
            List<StoredObject> initial,
            long from,
            boolean marksInitialEnd,
            boolean bookmarks,
            Duration interval,
            Duration timeout) {}

    private static final byte[] END = {'}', '\n'};

    private final VersionedStore store;
    private final ResourceId resource;
    private final Renderer renderer;
    private final EventFilter filter;
    private final Plan plan;
    private final Iterator<StoredObject> initial;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private boolean initialMarked;
    private boolean ended;
    private long bookmarked;
    private Runnable cancelTimeout = () -> {};
    private Runnable cancelBookmark = () -> {};
    private @Nullable StreamSink sink;
    private @Nullable ChangeReader reader;

    WatchStream(VersionedStore store, ResourceId resource, Renderer renderer, EventFilter filter, Plan plan) {
        this.store = store;
        this.resource = resource;
        this.renderer = renderer;
        this.filter = filter;
        this.plan = plan;
        initial = plan.initial().iterator();
        initialMarked = !plan.marksInitialEnd();
        bookmarked = plan.from();
    }

    @Override
    public void open(StreamSink to) {
        sink = to;
        try {
            reader = store.read(resource, plan.from(), () -> wake(to));
        } catch (HistoryGoneException e) {
            fail(to, e);
            return;
        }
        to.flush();
        cancelTimeout = to.schedule(plan.timeout(), () -> end(to));
        if (plan.bookmarks()) {
            cancelBookmark = to.schedule(plan.interval(), () -> bookmark(to));
        }
        send();
    }

    private void wake(StreamSink to) {
        if (scheduled.compareAndSet(false, true)) {
            to.execute(this::send);
        }
    }

    @Override
    public void writable() {
        send();
    }

    private void send() {
        scheduled.set(false);
        StreamSink to = sink;
        if (ended || to == null || reader == null) {
            return;
        }
        try {
            sendInitial(to);
            sendChanges(to, reader);
        } catch (HistoryGoneException e) {
            fail(to, e);
        }
        to.flush();
    }

    private void sendInitial(StreamSink to) {
        while (initial.hasNext() && to.isWritable()) {
            event(to, "ADDED", renderer.object(initial.next()));
        }
        if (!initial.hasNext() && !initialMarked) {
            initialMarked = true;
            event(to, "BOOKMARK", renderer.bookmark(plan.from(), true));
        }
    }

    private void sendChanges(StreamSink to, ChangeReader from) throws HistoryGoneException {
        while (!initial.hasNext() && to.isWritable()) {
            Change change = from.next();
            if (change == null) {
                return;
            }
            EventFilter.Event event = filter.event(change);
            if (event != null) {
                event(to, event.type(), renderer.object(event.object()));
            }
        }
    }

    private static void event(StreamSink to, String type, byte[] object) {
        byte[] head = ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8);
        byte[] line = Arrays.copyOf(head, head.length + object.length + END.length);
        System.arraycopy(object, 0, line, head.length, object.length);
        System.arraycopy(END, 0, line, line.length - END.length, END.length);
        to.write(line);
    }

    private void bookmark(StreamSink to) {
        if (ended) {
            return;
        }
        long reached = store.version();
        send();
        if (to.isWritable() && !initial.hasNext() && reached > bookmarked && !ended) {
            bookmarked = reached;
            event(to, "BOOKMARK", renderer.bookmark(reached, false));
            to.flush();
        }
        cancelBookmark = to.schedule(plan.interval(), () -> bookmark(to));
    }

    private void fail(StreamSink to, HistoryGoneException error) {
        ObjectNode status = StatusException.expired(
                        "too old resource version: " + error.asked() + " (" + error.oldest() + ")")
                .toStatus();
        event(to, "ERROR", Json.bytes(status));
        to.flush();
        end(to);
    }

    private void end(StreamSink to) {
        if (!ended) {
            ended = true;
            to.end();
        }
    }

    @Override
    public void closed() {
        ended = true;
        cancelTimeout.run();
        cancelBookmark.run();
        if (reader != null) {
            reader.close();
        }
    }
}
