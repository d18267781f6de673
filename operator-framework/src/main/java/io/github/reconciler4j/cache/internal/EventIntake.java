package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.util.List;

/**
 * Brings the events of a watch into the cache of their kind. An event that is not newer than what is there is left out.
 * To be used by one thread.
 */
final class EventIntake {

    private final Scope scope;
    private final KindCache kind;
    private final EntryReader reader;
    private final WatchPosition position;

    EventIntake(Scope scope, KindCache kind, EntryReader reader, WatchPosition position) {
        this.scope = scope;
        this.kind = kind;
        this.reader = reader;
        this.position = position;
    }

    /** Takes the event that was just read; throws if the server says by it that it cannot go on. */
    void take(WatchReader.Type type, HeaderDraft header) throws IOException {
        if (type == WatchReader.Type.ERROR) {
            throw WatchError.of(reader.json());
        }
        String version = header.version;
        if (type == WatchReader.Type.BOOKMARK) {
            kind.passed(scope, version);
        } else {
            ObjectKey key = new ObjectKey(header.namespace, header.name);
            change(type, header);
            kind.passed(scope, version, key);
        }
        position.passed(version);
        kind.metrics().heard();
    }

    private void change(WatchReader.Type type, HeaderDraft header) throws IOException {
        Entry known = kind.store().get(header.namespace, header.name);
        if (known != null && known.uid().equals(header.uid) && !isNewer(header, known)) {
            return;
        }
        Entry entry = scope.isOfShard(header.uid) ? reader.entry() : null;
        if (entry == null) {
            return;
        }
        if (type == WatchReader.Type.DELETED) {
            if (known != null) {
                boolean same = known.sameObject(entry); // else changes were missed, and the last state with them
                kind.write(List.of(Change.deleted(known, same ? entry : known, !same)));
            }
        } else if (known == null) {
            kind.write(List.of(Change.created(entry, false)));
        } else if (known.sameObject(entry)) {
            kind.write(List.of(Change.updated(known, entry)));
        } else {
            kind.write(List.of(Change.deleted(known, known, true), Change.created(entry, false)));
        }
    }

    private static boolean isNewer(HeaderDraft header, Entry known) {
        return !Versions.notAfter(header.version, known.resourceVersion());
    }
}
