package io.github.reconciler4j.test.server.internal;

import io.github.reconciler4j.test.ServerChange;
import io.github.reconciler4j.test.server.internal.storage.Change;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Observers of writes. They outlive the objects. Safe for use by multiple threads. */
final class ChangeObservers {
    private final List<Registration> registrations = new CopyOnWriteArrayList<>();

    void add(ResourceId resource, Consumer<ServerChange> observer) {
        registrations.add(new Registration(resource, observer));
    }

    void notify(ResourceId resource, Change change) {
        for (Registration registration : registrations) {
            if (registration.resource().equals(resource)) {
                registration.observer().accept(new Write(change));
            }
        }
    }

    private record Registration(ResourceId resource, Consumer<ServerChange> observer) {}

    private record Write(Change change) implements ServerChange {

        @Override
        public long version() {
            return change.version();
        }

        @Override
        public Type type() {
            if (change.after() == null) {
                return Type.REMOVED;
            }
            return change.before() == null ? Type.CREATED : Type.UPDATED;
        }

        @Override
        public String namespace() {
            return change.last().name().namespace();
        }

        @Override
        public String name() {
            return change.last().name().name();
        }

        @Override
        public String uid() {
            return change.last().uid();
        }

        @Override
        public String json() {
            return new String(change.last().json(), StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return type() + " " + (namespace().isEmpty() ? name() : namespace() + "/" + name()) + "@" + version();
        }
    }
}
