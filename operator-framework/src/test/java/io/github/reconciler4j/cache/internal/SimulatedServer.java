package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An API server for ConfigMaps in one namespace without time and threads: every version is one step, and the whole history is
 * known. A watch of it sees only objects whose label {@code app} is {@code v}.
 */
final class SimulatedServer implements ApiConnection {

    static final String NAMESPACE = "a";
    static final String SELECTED = "v";

    private final Map<String, State> objects = new HashMap<>();
    private final List<Event> events = new ArrayList<>();
    /** By name: what a watch sees under it from each version on, in order. */
    private final Map<String, List<Seen>> history = new HashMap<>();
    /** Called before and after a lookup is answered: what else happens while it is under way. */
    Runnable meanwhile = () -> {};

    private final boolean everything;
    private long version = 10;
    private int uids;

    /** Create a server whose watch selects all objects, or those with the label. */
    SimulatedServer(boolean everything) {
        this.everything = everything;
    }

    /** One state of an object. */
    record State(String name, int uid, long version, String app, boolean finalizer, boolean ending) {

        String json() {
            String json = Json.configMap(NAMESPACE, name, uid, version, app);
            return ending
                    ? json.replace(
                            "\"creationTimestamp\"",
                            "\"deletionTimestamp\":\"2026-11-21T08:00:00Z\",\"finalizers\":[\"f\"],\"creationTimestamp\"")
                    : json;
        }
    }

    /** An event of the watch. */
    record Event(long version, String type, String name, String json) {}

    /** What a watch sees of a name from a version on: the version of the object, 0 for nothing. */
    record Seen(long from, long object) {}

    /** What a write came to: the new state, and whether the object is gone. */
    record Written(State state, boolean gone) {}

    private boolean isSelected(State state) {
        return everything || state.app.equals(SELECTED);
    }

    long version() {
        return version;
    }

    @Nullable
    State get(String name) {
        return objects.get(name);
    }

    /** Return what happened after a version. */
    List<Event> after(long position) {
        return events.stream().filter(event -> event.version > position).toList();
    }

    List<String> selected() {
        return objects.values().stream()
                .filter(this::isSelected)
                .map(State::json)
                .toList();
    }

    /** Create an object; null if it exists. */
    @Nullable
    Written create(String name, String app, boolean finalizer) {
        if (objects.containsKey(name)) {
            return null;
        }
        version++;
        return put(null, new State(name, ++uids, version, app, finalizer, false));
    }

    /** Change an object; null if it does not exist. */
    @Nullable
    Written update(String name, String app) {
        State before = objects.get(name);
        if (before == null) {
            return null;
        }
        version++;
        return put(before, new State(name, before.uid, version, app, before.finalizer, before.ending));
    }

    /** Delete an object, which stays if it has a finalizer; null if it does not exist. */
    @Nullable
    Written delete(String name) {
        State before = objects.get(name);
        if (before == null) {
            return null;
        }
        if (before.finalizer && before.ending) {
            return new Written(before, false);
        }
        version++;
        State after = new State(name, before.uid, version, before.app, before.finalizer, before.finalizer);
        return before.finalizer ? put(before, after) : remove(before, after);
    }

    /** Remove the finalizer, and with it an object that is being deleted; null if there is nothing to do. */
    @Nullable
    Written release(String name) {
        State before = objects.get(name);
        if (before == null || !before.finalizer) {
            return null;
        }
        version++;
        State after = new State(name, before.uid, version, before.app, false, false);
        return before.ending ? remove(before, after) : put(before, after);
    }

    private Written put(@Nullable State before, State after) {
        objects.put(after.name, after);
        boolean known = before != null && isSelected(before);
        if (known || isSelected(after)) {
            String type = !known ? "ADDED" : isSelected(after) ? "MODIFIED" : "DELETED";
            events.add(new Event(version, type, after.name, after.json()));
        }
        note(after.name, isSelected(after) ? version : 0);
        return new Written(after, false);
    }

    private Written remove(State before, State last) {
        objects.remove(last.name);
        if (isSelected(before)) {
            events.add(new Event(version, "DELETED", last.name, last.json()));
        }
        note(last.name, 0);
        return new Written(last, true);
    }

    private void note(String name, long object) {
        history.computeIfAbsent(name, absent -> new ArrayList<>(List.of(new Seen(0, 0))))
                .add(new Seen(version, object));
    }

    /** Return the last version at which a watch saw this under a name; -1 if it never did. */
    long lastSeen(String name, long object) {
        List<Seen> all = history.getOrDefault(name, List.of(new Seen(0, 0)));
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).object == object) {
                return i == all.size() - 1 ? version : all.get(i + 1).from - 1;
            }
        }
        return -1;
    }

    @Override
    public String server() {
        return "http://server.invalid";
    }

    /** Answers lookups of one name. */
    @Override
    public ApiResponse send(ApiRequest request) {
        if (!request.verb().equals("list")) {
            throw new ApiException("no discovery here", ErrorDetails.of(503, "ServiceUnavailable"));
        }
        meanwhile.run();
        String name = request.query().get("fieldSelector").get(0).replace("metadata.name=", "");
        State state = objects.get(name);
        String list =
                state == null || !isSelected(state) ? Json.list(version, "") : Json.list(version, "", state.json());
        meanwhile.run();
        return new ApiResponse(200, list.getBytes(StandardCharsets.UTF_8), List.of());
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        throw new UnsupportedOperationException("the test delivers events");
    }

    @Override
    public void close() {}
}
