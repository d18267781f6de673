package io.github.reconciler4j.test;

import io.github.reconciler4j.test.internal.storage.Change;
import io.github.reconciler4j.test.internal.storage.ResourceId;
import io.github.reconciler4j.test.internal.storage.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Who is told of writes; outlives the objects. Safe for use by many threads. */
final class ChangeObservers {
    private record Place(ResourceId resource, Consumer<ServerChange> observer) {}

    private final List<Place> places = new CopyOnWriteArrayList<>();

    void add(ResourceId resource, Consumer<ServerChange> observer) {
        places.add(new Place(resource, observer));
    }

    void tell(ResourceId resource, Change change) {
        for (Place place : places) {
            if (place.resource().equals(resource)) {
                place.observer().accept(describe(change));
            }
        }
    }

    private static ServerChange describe(Change change) {
        StoredObject last = change.last();
        return new ServerChange(
                change.version(),
                type(change),
                last.name().namespace(),
                last.name().name(),
                last.uid(),
                new String(last.json(), StandardCharsets.UTF_8));
    }

    private static ServerChange.Type type(Change change) {
        if (change.after() == null) {
            return ServerChange.Type.REMOVED;
        }
        return change.before() == null ? ServerChange.Type.CREATED : ServerChange.Type.UPDATED;
    }
}
