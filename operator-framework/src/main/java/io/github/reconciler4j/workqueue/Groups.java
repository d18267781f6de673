package io.github.reconciler4j.workqueue;

import java.util.HashMap;
import java.util.Map;

/** The groups of the entries there are. Not thread-safe. */
final class Groups<T> {

    private final Map<Object, Group<T>> groups = new HashMap<>();

    /** The group for one more entry. */
    Group<T> join(Object key) {
        Group<T> group = groups.computeIfAbsent(key, Group::new);
        group.entries++;
        return group;
    }

    /** An entry of the group is gone. */
    void leave(Group<T> group) {
        if (--group.entries == 0) {
            groups.remove(group.key);
        }
    }

    int size() {
        return groups.size();
    }
}
