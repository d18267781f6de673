package io.github.reconciler4j.cache.random;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber under test: remembers its events, is slow, fails occasionally, and afterwards compares the events with
 * what happened on the server.
 */
final class DeliveredEvents implements ObjectListener<HasMetadata> {

    private final String name;
    private final Random random;
    private final Duration slowness;
    /** Added to by the thread of the subscription. */
    private final List<delivered> delivered = new ArrayList<>();
    /** By key: uid and version of what the subscriber knows of. */
    final Map<String, String> known = new ConcurrentHashMap<>();

    volatile boolean closed;

    /** One event, without the object. */
    private record delivered(String type, String key, String uid, String version, String before, boolean flag) {
        @Override
        public String toString() {
            return type + (flag ? "* " : " ") + key + " " + uid + "@" + version
                    + (before.isEmpty() ? "" : " " + before);
        }
    }

    DeliveredEvents(String name, Duration slowness, long seed) {
        this.name = name;
        this.slowness = slowness;
        random = new Random(seed);
    }

    @Override
    public void onEvent(ObjectEvent<HasMetadata> event) {
        delivered now = describe(event);
        synchronized (delivered) {
            delivered.add(closed ? new delivered("AFTER CLOSE", now.key, now.uid, now.version, "", false) : now);
        }
        if (event instanceof ObjectEvent.Deleted || event instanceof ObjectEvent.Departed) {
            known.remove(now.key);
        } else {
            known.put(now.key, now.uid + "@" + now.version);
        }
        if (!slowness.isZero()) {
            LockSupport.parkNanos((long) (slowness.toNanos() * random.nextDouble()));
        }
        if (random.nextInt(40) == 0) {
            throw new IllegalStateException("the listener fails now and then");
        }
    }

    private static delivered describe(ObjectEvent<HasMetadata> event) {
        ObjectHeader header = event.snapshot().header();
        if (event instanceof ObjectEvent.Created<HasMetadata> created) {
            return delivered("created", header, "", created.initial());
        }
        if (event instanceof ObjectEvent.Updated<HasMetadata> updated) {
            return delivered(
                    updated.resync() ? "resync" : "updated",
                    header,
                    state(updated.previous().header()),
                    false);
        }
        return delivered("deleted", header, "", ((ObjectEvent.Deleted<HasMetadata>) event).finalStateUnknown());
    }

    private static delivered delivered(String type, ObjectHeader header, String before, boolean flag) {
        String key = header.key().namespace() + "/" + header.key().name();
        return new delivered(type, key, header.uid(), header.resourceVersion(), before, flag);
    }

    static String state(ObjectHeader header) {
        return header.uid() + "@" + header.resourceVersion();
    }

    /** Checks the whole sequence; what is wrong with it, or null. */
    @Nullable
    String check(ServerTruth truth, RandomSelection selection) {
        List<delivered> all;
        synchronized (delivered) {
            all = List.copyOf(delivered);
        }
        Map<String, KeyCheck> keys = new HashMap<>();
        boolean pastInitial = false;
        for (delivered now : all) {
            KeyCheck check = keys.computeIfAbsent(now.key, key -> new KeyCheck(truth, selection));
            String wrong = check.next(now);
            if (wrong == null && now.type.equals("created") && now.flag && pastInitial) {
                wrong = "initial after others";
            }
            boolean initial = now.type.equals("created") && now.flag;
            pastInitial |= !initial && selection.isOneList() && !now.type.equals("resync");
            if (wrong != null) {
                return name + " received " + now + ": " + wrong + "; all of this object: "
                        + all.stream().filter(any -> any.key.equals(now.key)).toList();
            }
        }
        return null;
    }

    /** The rules for the events of one key. */
    private static final class KeyCheck {
        private final ServerTruth truth;
        private final RandomSelection selection;
        private String known = "";
        private int place = -1;
        private final Map<String, Integer> gone = new HashMap<>();

        KeyCheck(ServerTruth truth, RandomSelection selection) {
            this.truth = truth;
            this.selection = selection;
        }

        @Nullable
        String next(delivered now) {
            ServerTruth.Write write = truth.find(now.uid, now.version);
            if (write == null || !now.key.equals(write.namespace() + "/" + write.name())) {
                return "the server never had that";
            }
            String wrong = switch (now.type) {
                case "created" -> created(now, write);
                case "updated" -> updated(now, write);
                case "resync" -> known.equals(now.uid + "@" + now.version) ? null : "repeats what is not so";
                case "deleted" -> deleted(now, write);
                default -> "was closed";
            };
            place = write.place();
            return wrong;
        }

        private @Nullable String created(delivered now, ServerTruth.Write write) {
            String wrong = known.isEmpty() ? appears(write) : "created twice";
            if (gone.containsKey(now.uid) && !selection.isLoose()) {
                wrong = "came back from the dead";
            }
            known = now.uid + "@" + now.version;
            return wrong;
        }

        private @Nullable String updated(delivered now, ServerTruth.Write write) {
            if (!known.equals(now.before)) {
                return "the state before was " + known;
            }
            String wrong = now.before.startsWith(now.uid + "@") ? appears(write) : "is another object";
            known = now.uid + "@" + now.version;
            return wrong;
        }

        private @Nullable String appears(ServerTruth.Write write) {
            if (write.removal()) {
                return "was removed then";
            }
            if (!selection.mayCover(write)) {
                return "is not selected";
            }
            boolean same = selection.isUnsteady() && write.place() == place; // its namespace left and came
            return same || write.place() > place ? null : "is older than a previous event";
        }

        private @Nullable String deleted(delivered now, ServerTruth.Write write) {
            if (!known.startsWith(now.uid + "@")) {
                return "known was " + known;
            }
            known = "";
            gone.put(now.uid, write.place());
            if (now.flag) {
                return write.place() >= place ? null : "is older than a previous event";
            }
            return (write.removal() || selection.mayLeave(write)) && write.place() > place
                    ? null
                    : "was not deleted then";
        }
    }
}
