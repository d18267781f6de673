package io.github.reconciler4j.workqueue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A lane that takes turns between groups: first the group with the fewest running, then the one served longest ago. */
final class FairLane<T> extends Lane<T> {

    private final GroupLimit limit;
    private final IndexedHeap<Member<T>> members = new IndexedHeap<>(FairLane::before);
    private long arrivals;

    FairLane(int priority, GroupLimit limit) {
        super(priority);
        this.limit = limit;
    }

    /** The entries of one group in one lane; in the heap of the lane as long as there are some. */
    static final class Member<T> extends IndexedHeap.Node {
        final FairLane<T> lane;
        private final Group<T> group;
        private final EntryList<T> entries = new EntryList<>();
        private final long arrival;

        private Member(FairLane<T> lane, Group<T> group, long arrival) {
            this.lane = lane;
            this.group = group;
            this.arrival = arrival;
        }
    }

    @Override
    @Nullable
    Entry<T> next() {
        Member<T> member = members.peek();
        return member == null || member.group.running >= limit.most() ? null : member.entries.first();
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
            group.members.add(member);
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
            group.members.remove(member);
            members.remove(member);
        }
    }

    /** Puts a group in its place after its rank has changed. */
    void update(Member<T> member) {
        members.update(member);
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
}
