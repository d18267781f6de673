package io.github.reconciler4j.workqueue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A group of keys that share workers. Not thread-safe. */
final class Group<T> {

    final Object key;

    /** Its entries in the table of the queue. */
    int entries;

    /** Those of them being processed. */
    int running;

    /** Number of the last hand-out from this group, 0 if there was none. */
    long servedAt;

    /** Its part of every lane in which it has entries. */
    final List<FairLane.Member<T>> members = new ArrayList<>(2);

    Group(Object key) {
        this.key = key;
    }

    FairLane.@Nullable Member<T> memberIn(FairLane<T> lane) {
        for (FairLane.Member<T> member : members) {
            if (member.lane == lane) {
                return member;
            }
        }
        return null;
    }

    /** One of its entries was handed out. */
    void started(long handOut) {
        running++;
        servedAt = handOut;
        updateRank();
    }

    /** One of its entries is done. */
    void finished() {
        running--;
        updateRank();
    }

    private void updateRank() {
        for (FairLane.Member<T> member : members) {
            member.lane.update(member);
        }
    }
}
