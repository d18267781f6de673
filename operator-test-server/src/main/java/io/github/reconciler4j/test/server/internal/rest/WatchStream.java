package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.control.FaultRules;
import io.github.reconciler4j.test.server.internal.control.RequestSummary;
import io.github.reconciler4j.test.server.internal.exchange.StreamSink;
import io.github.reconciler4j.test.server.internal.exchange.StreamSource;
import io.github.reconciler4j.test.server.internal.render.Renderer;
import io.github.reconciler4j.test.server.internal.storage.Change;
import io.github.reconciler4j.test.server.internal.storage.ChangeReader;
import io.github.reconciler4j.test.server.internal.storage.HistoryGoneException;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One watch. It keeps its place in the history of the resource and sends on when there is something to send and the
 * client takes it; nothing is queued for a slow client. Runs in the thread of its connection.
 */
final class WatchStream implements StreamSource {
    /**
     * The events of a watch besides changes.
     *
     * @param initial objects to send first, as added
     * @param from the version after which changes are sent
     * @param marksInitialEnd whether a bookmark follows the initial objects
     * @param bookmarks whether bookmarks come now and then
     */
    record Plan(
            List<StoredObject> initial,
            long from,
            boolean marksInitialEnd,
            boolean bookmarks,
            Duration interval,
            Duration timeout) {}

    /**
     * The collaborators of a watch.
     *
     * @param active the list of open watches to be in
     * @param served returns whether a resource is served; it may have gone since the request was read
     */
    record Dependencies(VersionedStore store, FaultRules faults, ActiveWatches active, Predicate<ResourceId> served) {}

    private static final byte[] END = {'}', '\n'};

    private final Dependencies around;
    private final RequestSummary request;
    private final ResourceId resource;
    private final Renderer renderer;
    private final EventFilter filter;
    private final Plan plan;
    private final Iterator<StoredObject> initial;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile @Nullable StreamSink sink;
    private boolean initialMarked;
    private boolean ended;
    private boolean held;
    private long bookmarked;
    private Runnable cancelTimeout = () -> {};
    private Runnable cancelBookmark = () -> {};
    private @Nullable ChangeReader reader;

    WatchStream(
            Dependencies around,
            RequestSummary request,
            ResourceId resource,
            Renderer renderer,
            EventFilter filter,
            Plan plan) {
        this.around = around;
        this.request = request;
        this.resource = resource;
        this.renderer = renderer;
        this.filter = filter;
        this.plan = plan;
        initial = plan.initial().iterator();
        initialMarked = !plan.marksInitialEnd();
        bookmarked = plan.from();
    }

    RequestSummary request() {
        return request;
    }

    @Override
    public void open(StreamSink to) {
        sink = to;
        around.active().add(this);
        try {
            reader = around.store().read(resource, plan.from(), () -> wake(to));
        } catch (HistoryGoneException e) {
            expire(to, tooOld(e));
            return;
        }
        to.flush();
        cancelTimeout = to.schedule(plan.timeout(), () -> end(to));
        if (plan.bookmarks()) {
            cancelBookmark = to.schedule(plan.interval(), () -> bookmark(to));
        }
        send();
        if (!around.served()
                .test(resource)) { // checked after it is in the list, which ends those of a definition that goes
            end(to);
        }
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
        if (ended || held || to == null || reader == null) {
            return;
        }
        try {
            sendInitial(to);
            sendChanges(to, reader);
        } catch (HistoryGoneException e) {
            expire(to, tooOld(e));
        }
        to.flush();
    }

    private void sendInitial(StreamSink to) {
        while (initial.hasNext() && to.isWritable()) {
            to.write(line("ADDED", renderer.object(initial.next())));
        }
        if (!initial.hasNext() && !initialMarked) {
            initialMarked = true;
            to.write(line("BOOKMARK", renderer.bookmark(plan.from(), true)));
        }
    }

    private void sendChanges(StreamSink to, ChangeReader from) throws HistoryGoneException {
        while (!ended && !held && !initial.hasNext() && to.isWritable()) {
            Change change = from.next();
            if (change == null) {
                return;
            }
            EventFilter.Event event = filter.event(change);
            if (event != null) {
                sendEvent(to, event);
            }
        }
    }

    private void sendEvent(StreamSink to, EventFilter.Event event) {
        byte[] line = line(event.type(), renderer.object(event.object()));
        RequestSummary about = request.about(
                event.object().name().namespace(), event.object().name().name());
        Fault fault = around.faults()
                .onEvent(about)
                .map(active -> active.rule().fault())
                .orElse(null);
        if (fault instanceof Fault.DelayEvent delay) {
            hold(to, delay.time(), line);
        } else if (fault instanceof Fault.DuplicateEvent) {
            to.write(line);
            to.write(line);
        } else if (fault instanceof Fault.EndWatch endWatch) {
            endAs(to, endWatch.end(), line);
        } else {
            to.write(line);
        }
    }

    private void hold(StreamSink to, Duration time, byte[] line) {
        held = true;
        to.schedule(time, () -> {
            held = false;
            if (!ended) {
                to.write(line);
                send();
            }
        });
    }

    static byte[] line(String type, byte[] object) {
        byte[] head = ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8);
        byte[] line = Arrays.copyOf(head, head.length + object.length + END.length);
        System.arraycopy(object, 0, line, head.length, object.length);
        System.arraycopy(END, 0, line, line.length - END.length, END.length);
        return line;
    }

    private void bookmark(StreamSink to) {
        if (ended) {
            return;
        }
        long reached = around.store().version();
        send();
        if (to.isWritable() && !initial.hasNext() && !held && reached > bookmarked && !ended) {
            bookmarked = reached;
            to.write(line("BOOKMARK", renderer.bookmark(reached, false)));
            to.flush();
        }
        cancelBookmark = to.schedule(plan.interval(), () -> bookmark(to));
    }

    /** End the watch soon; from any thread. */
    void endFromOutside(WatchEnd how) {
        StreamSink to = sink;
        if (to != null) {
            to.execute(() ->
                    endAs(to, how, line("MODIFIED", Json.bytes(Json.object().put("cut", "here")))));
        }
    }

    /** End the watch after what has happened so far has been sent; from any thread. */
    void finishFromOutside() {
        StreamSink to = sink;
        if (to != null) {
            to.execute(() -> {
                send();
                end(to);
            });
        }
    }

    private void endAs(StreamSink to, WatchEnd how, byte[] line) {
        if (ended) {
            return;
        }
        switch (how) {
            case ORDERLY -> end(to);
            case EXPIRED -> expire(to, "The resourceVersion for the provided watch is too old.");
            case CONNECTION_RESET -> cut(to);
            case INSIDE_EVENT -> {
                to.write(Arrays.copyOf(line, line.length / 2));
                cut(to);
            }
        }
    }

    private void cut(StreamSink to) {
        ended = true;
        to.cut();
    }

    private static String tooOld(HistoryGoneException error) {
        return "too old resource version: " + error.asked() + " (" + error.oldest() + ")";
    }

    private void expire(StreamSink to, String message) {
        ObjectNode status = StatusException.expired(message).toStatus();
        to.write(line("ERROR", Json.bytes(status)));
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
        around.active().remove(this);
        cancelTimeout.run();
        cancelBookmark.run();
        if (reader != null) {
            reader.close();
        }
    }
}
