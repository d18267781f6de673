package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an API server knows of ConfigMaps: each version is one step, and the whole history is kept, so that a list or a watch can
 * be of any version. Evaluates shard selectors if it supports them. Without threads and time.
 */
final class DividedServer {

    private static final Pattern RANGE =
            Pattern.compile("shardRange\\(object\\.metadata\\.(uid|namespace), '0x([0-9a-f]+)', '0x([0-9a-f]+)'\\)");
    private static final String END = "10000000000000000";

    private final boolean selects;
    private final List<Event> events = new ArrayList<>();
    private final Map<ObjectKey, List<Seen>> history = new HashMap<>();
    private long version = 10;
    private long compacted;
    private final IntSupplier uids;

    /**
     * Create a server that evaluates shard selectors, or ignores them.
     *
     * @param uids returns the number of the next uid
     */
    DividedServer(boolean selects, IntSupplier uids) {
        this.selects = selects;
        this.uids = uids;
    }

    /**
     * One state of an object.
     *
     * @param owner the number of the uid of its controller, 0 without one
     */
    record State(ObjectKey key, int uid, int owner, long version, String app) {

        String json() {
            String json = Json.configMap(key.namespace(), key.name(), uid, version, app);
            return owner == 0
                    ? json
                    : json.replace(
                            "\"creationTimestamp\"",
                            "\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"n\",\"uid\":\""
                                    + Json.uid(owner) + "\",\"controller\":true}],\"creationTimestamp\"");
        }

        @Override
        public String toString() {
            return key + " uid " + uid + (owner == 0 ? "" : " of " + owner) + " at " + version;
        }
    }

    /** An event of a watch of everything. */
    record Event(String type, State state) {

        long version() {
            return state.version;
        }

        String json() {
            return Json.event(type, state.json());
        }
    }

    /** What there is under a name from a version on. */
    private record Seen(long from, @Nullable State state) {}

    long version() {
        return version;
    }

    /** Something else was written. */
    void pass() {
        version++;
    }

    /** Return what was there under a name at a version, null for nothing. */
    @Nullable
    State state(ObjectKey key, long at) {
        State found = null;
        for (Seen seen : history.getOrDefault(key, List.of())) {
            found = seen.from <= at ? seen.state : found;
        }
        return found;
    }

    @Nullable
    State state(ObjectKey key) {
        return state(key, version);
    }

    /** Return the state that an object had with a version; null if it never had one. */
    @Nullable
    State find(ObjectKey key, String uid, String objectVersion) {
        return history.getOrDefault(key, List.of()).stream()
                .map(Seen::state)
                .filter(state -> state != null
                        && Json.uid(state.uid).equals(uid)
                        && Long.toString(state.version).equals(objectVersion))
                .findFirst()
                .orElse(null);
    }

    /** Return the last version at which a state was there. */
    long lastSeen(State state) {
        List<Seen> all = history.getOrDefault(state.key, List.of());
        for (int i = 0; i < all.size() - 1; i++) {
            if (all.get(i).state == state) {
                return all.get(i + 1).from - 1;
            }
        }
        return version;
    }

    /** Return the last state of an object that was deleted. */
    State removed(ObjectKey key, String uid) {
        return events.stream()
                .filter(event -> event.type.equals("DELETED"))
                .map(Event::state)
                .filter(state -> state.key.equals(key) && Json.uid(state.uid).equals(uid))
                .findFirst()
                .orElseThrow();
    }

    /** Return whether an object exists. */
    boolean exists(ObjectKey key, String uid) {
        State now = state(key);
        return now != null && Json.uid(now.uid).equals(uid);
    }

    /** Create, change or delete an object; null if that does not suit what there is. */
    @Nullable
    State carryOut(ObjectKey key, int action, Random random) {
        int owner = random.nextInt(3) == 0 ? 0 : 900 + random.nextInt(5);
        String app = "v" + random.nextInt(3);
        return switch (action) {
            case 0 -> create(key, owner, app);
            case 1 -> update(key, owner, app);
            default -> delete(key);
        };
    }

    /** Create an object; null if there is one. */
    @Nullable
    State create(ObjectKey key, int owner, String app) {
        return state(key) != null ? null : put("ADDED", new State(key, uids.getAsInt(), owner, version + 1, app));
    }

    /** Change an object; null if it does not exist. */
    @Nullable
    State update(ObjectKey key, int owner, String app) {
        State before = state(key);
        return before == null ? null : put("MODIFIED", new State(key, before.uid, owner, version + 1, app));
    }

    private State put(String type, State state) {
        version++;
        events.add(new Event(type, state));
        seen(state.key, state);
        return state;
    }

    /** Delete an object and return its last state; null if it does not exist. */
    @Nullable
    State delete(ObjectKey key) {
        State before = state(key);
        if (before == null) {
            return null;
        }
        version++;
        State last = new State(key, before.uid, before.owner, version, before.app);
        events.add(new Event("DELETED", last));
        seen(key, null);
        return last;
    }

    private void seen(ObjectKey key, @Nullable State state) {
        history.computeIfAbsent(key, absent -> new ArrayList<>()).add(new Seen(version, state));
    }

    /** Forget the history before a version. */
    void compact(long before) {
        compacted = Math.max(compacted, before);
    }

    /** Return whether a watch can start after a version, or a page of a list be of it. */
    boolean has(long at) {
        return at >= compacted;
    }

    /** Return any version that a list may be of. */
    long versionOf(String bound, Random random) {
        if (bound.isEmpty()) {
            return version;
        }
        long lowest = Math.max(bound.equals("0") ? version - 10 : Long.parseLong(bound), compacted);
        long newest = version;
        return lowest >= newest ? newest : newest - random.nextInt((int) (newest - lowest) + 1);
    }

    /** Return the objects that a selector selects, as they were at a version. */
    List<String> list(String selector, long at) {
        Predicate<State> selected = matcher(selector);
        return history.keySet().stream()
                .sorted()
                .map(key -> state(key, at))
                .filter(Objects::nonNull)
                .filter(selected)
                .map(State::json)
                .toList();
    }

    /** Return the events after a version that a selector selects. */
    List<Event> after(String selector, long position) {
        Predicate<State> selected = matcher(selector);
        return events.stream()
                .filter(event -> event.version() > position && selected.test(event.state))
                .toList();
    }

    private Predicate<State> matcher(String selector) {
        if (selector.isEmpty() || !selects) {
            return state -> true;
        }
        Predicate<State> matches = state -> false;
        Matcher ranges = RANGE.matcher(selector);
        while (ranges.find()) {
            boolean byUid = ranges.group(1).equals("uid");
            long from = Long.parseUnsignedLong(ranges.group(2), 16);
            String end = ranges.group(3);
            matches = matches.or(state -> {
                long hash = hash(byUid ? Json.uid(state.uid) : state.key.namespace());
                return Long.compareUnsigned(hash, from) >= 0
                        && (end.equals(END) || Long.compareUnsigned(hash, Long.parseUnsignedLong(end, 16)) < 0);
            });
        }
        return matches;
    }

    private static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
            hash ^= next & 0xff;
            hash *= 0x100000001b3L;
        }
        return hash;
    }

    /** Return a list as the server writes it: with the selector if it was evaluated. */
    String listJson(String selector, long at, String next, List<String> items) {
        String list = Json.list(at, next, items.toArray(String[]::new));
        return selector.isEmpty() || !selects
                ? list
                : list.replace(
                        "\"metadata\":{\"resourceVersion\"",
                        "\"metadata\":{\"partInfo\":{\"selector\":\"" + selector + "\"},\"resourceVersion\"");
    }
}
