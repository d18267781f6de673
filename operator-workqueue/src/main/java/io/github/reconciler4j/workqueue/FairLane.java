package io.github.reconciler4j.workqueue;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A lane that takes turns between groups: first the group with the fewest running entries, then the one served longest ago.
 * Not thread-safe.
 */
final class FairLane<T> extends Lanes.Lane<T> {

    private final Limit limit;
    private final IndexedHeap<Member<T>> members = new IndexedHeap<>(FairLane::before);
    private long arrivals;

    FairLane(int priority, Limit limit) {
        super(priority);
        this.limit = limit;
    }

    @Override
    @Nullable
    Entry<T> next() {
        Member<T> member = members.peek();
        return member == null || member.group.running >= limit.max() ? null : member.entries.first();
    }

    @Override
    @Nullable
    Entry<T> any() {
        Member<T> member = members.peek();
        return member == null ? null : member.entries.first();
    }

    @Override
    @Nullable
    Entry<T> oldest() {
        Entry<T> oldest = null;
        for (int i = 0; i < members.size(); i++) {
            Entry<T> entry = members.at(i).entries.first();
            if (entry != null && (oldest == null || entry.time - oldest.time < 0)) {
                oldest = entry;
            }
        }
        return oldest;
    }

    @Override
    void append(Entry<T> entry) {
        Group<T> group = groupOf(entry);
        Member<T> member = group.memberIn(this);
        if (member == null) {
            member = new Member<>(this, group, arrivals++);
            group.join(member);
            members.add(member);
        }
        member.entries.addLast(entry);
    }

    @Override
    void unlink(Entry<T> entry) {
        Group<T> group = groupOf(entry);
        Member<T> member = Objects.requireNonNull(group.memberIn(this));
        member.entries.remove(entry);
        if (member.entries.isEmpty()) {
            group.leave(member);
            members.remove(member);
        }
    }

    private static <T> Group<T> groupOf(Entry<T> entry) {
        return Objects.requireNonNull(entry.group);
    }

    private static <T> boolean before(Member<T> one, Member<T> other) {
        if (one.group.running != other.group.running) {
            return one.group.running < other.group.running;
        }
        if (one.group.servedAt != other.group.servedAt) {
            return one.group.servedAt < other.group.servedAt;
        }
        return one.arrival < other.arrival;
    }

    /** The entries of one group in one lane; in the heap of the lane while there are any. */
    private static final class Member<T> extends IndexedHeap.Node {
        private final FairLane<T> lane;
        private final Group<T> group;
        private final Entry.Linked<T> entries = new Entry.Linked<>();
        private final long arrival;

        /** The next member of the same group. */
        private @Nullable Member<T> next;

        private Member(FairLane<T> lane, Group<T> group, long arrival) {
            this.lane = lane;
            this.group = group;
            this.arrival = arrival;
        }
    }

    /** A group of keys that share workers. */
    static final class Group<T> {

        private final Object key;

        /** Its entries in the table of the queue. */
        private int entries;

        /** Those of them that are being processed. */
        private int running;

        /** The number of the last dequeue from this group, 0 if there was none. */
        private long servedAt;

        /**
         * The first of its members, one per lane in which it has entries. Linked, because nearly all groups have one and live as
         * short as their only key.
         */
        private @Nullable Member<T> members;

        private Group(Object key) {
            this.key = key;
        }

        private @Nullable Member<T> memberIn(FairLane<T> lane) {
            Member<T> member = members;
            while (member != null && member.lane != lane) {
                member = member.next;
            }
            return member;
        }

        private void join(Member<T> member) {
            member.next = members;
            members = member;
        }

        private void leave(Member<T> member) {
            if (members == member) {
                members = member.next;
                return;
            }
            for (Member<T> before = members; before != null; before = before.next) {
                if (before.next == member) {
                    before.next = member.next;
                }
            }
        }

        /** Count one more running entry. */
        void started(long dequeue) {
            running++;
            servedAt = dequeue;
            updateRank();
        }

        /** Count one running entry less. */
        void finished() {
            running--;
            updateRank();
        }

        private void updateRank() {
            for (Member<T> member = members; member != null; member = member.next) {
                member.lane.members.update(member);
            }
        }
    }

    /** The groups that have entries. */
    static final class Groups<T> {

        private final Map<Object, Group<T>> groups = new HashMap<>();

        /** Return the group for one more entry. */
        Group<T> join(Object key) {
            Group<T> group = groups.computeIfAbsent(key, Group::new);
            group.entries++;
            return group;
        }

        /** Remove an entry from its group. */
        void leave(Group<T> group) {
            if (--group.entries == 0) {
                groups.remove(group.key);
            }
        }
    }

    /** How many keys of one group can be processed at the same time, given the present number of workers. */
    static final class Limit {

        /** Prevents a share that is a whole number of workers from being rounded up because of the last bit. */
        private static final double ROUNDING = 1e-9;

        private final int maxRunning;
        private final double share;
        private int max;

        Limit(Fairness<?> fairness) {
            this.maxRunning = fairness.maxRunning();
            this.share = fairness.share();
            this.max = maxRunning;
        }

        int max() {
            return max;
        }

        /** Set the number of workers; 0 if it is not known, which disables the share. */
        void workers(int workers) {
            boolean known = workers > 0 && share < 1;
            int part = (int) Math.max(1, Math.ceil(share * workers - ROUNDING));
            max = known ? Math.min(maxRunning, part) : maxRunning;
        }
    }
}
