package io.github.reconciler4j.brake;

import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The deletions of a controller of objects of one kind in the last minute, and how many objects there were. Not thread-safe. */
final class DeletionWindow {

    private final long length;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final Deque<Sample> samples = new ArrayDeque<>();
    private final Map<String, Deque<Entry>> byOwner = new HashMap<>();
    private final Map<ObjectKey, Entry> byKey = new HashMap<>();
    private final Map<String, Entry> byUid = new HashMap<>();
    private int counted;

    /** Create it with its length in nanoseconds. */
    DeletionWindow(long length) {
        this.length = length;
    }

    /**
     * An object that is to be deleted.
     *
     * @param uid its uid, {@code ""} if it is not known
     * @param owner the uid of its owner, {@code ""} for none
     */
    record Target(ObjectKey key, String uid, String owner) {}

    /** A counted deletion, until it leaves the window, failed or was made good by a creation. */
    static final class Entry {

        private final Target target;
        private final long at;
        private boolean over;

        private Entry(Target target, long at) {
            this.target = target;
            this.at = at;
        }
    }

    private record Sample(long at, int objects) {}

    /** Forget what is older than the window, and note how many objects there are now. */
    void advance(long now, int objects) {
        expire(now);
        while (!samples.isEmpty() && samples.getLast().objects <= objects) {
            samples.removeLast();
        }
        samples.addLast(new Sample(now, objects));
    }

    private void expire(long now) {
        while (!entries.isEmpty() && now - entries.getFirst().at >= length) {
            end(entries.removeFirst());
        }
        while (!samples.isEmpty() && now - samples.getFirst().at >= length) {
            samples.removeFirst();
        }
    }

    /** Return the largest number of objects that there were in the window. */
    int largest() {
        return samples.isEmpty() ? 0 : samples.getFirst().objects;
    }

    int counted() {
        return counted;
    }

    /** Return whether the deletion of this very object is counted. */
    boolean has(Target target) {
        return !target.uid.isEmpty() && byUid.containsKey(target.uid);
    }

    Entry add(Target target, long now) {
        Entry entry = new Entry(target, now);
        entries.addLast(entry);
        counted++;
        byKey.put(target.key, entry);
        if (!target.uid.isEmpty()) {
            byUid.put(target.uid, entry);
        }
        if (!target.owner.isEmpty()) {
            byOwner.computeIfAbsent(target.owner, owner -> new ArrayDeque<>()).addLast(entry);
        }
        return entry;
    }

    /** Do not count a deletion any more. */
    void end(Entry entry) {
        if (entry.over) {
            return;
        }
        entry.over = true;
        counted--;
        byKey.remove(entry.target.key, entry);
        byUid.remove(entry.target.uid, entry);
        Deque<Entry> siblings = byOwner.get(entry.target.owner);
        if (siblings != null) {
            siblings.remove(entry); // it is the first or near it
            if (siblings.isEmpty()) {
                byOwner.remove(entry.target.owner);
            }
        }
    }

    /** An object was created: it replaces the deleted one with its name, or the first deleted one of its owner. */
    void created(long now, ObjectKey key, String owner) {
        expire(now);
        Entry replaced = byKey.get(key);
        Deque<Entry> siblings = byOwner.get(owner);
        if (replaced == null && siblings != null) {
            replaced = siblings.getFirst();
        }
        if (replaced != null) {
            end(replaced);
        }
    }

    /** Do not count deletions in a namespace any more. */
    void forget(String namespace) {
        entries.stream()
                .filter(entry -> entry.target.key.namespace().equals(namespace))
                .toList()
                .forEach(this::end);
    }

    /** Return the namespaces of the counted deletions. */
    Set<String> namespaces() {
        Set<String> namespaces = new HashSet<>();
        byKey.keySet().forEach(key -> namespaces.add(key.namespace()));
        return namespaces;
    }

    boolean isEmpty() {
        return counted == 0;
    }
}
