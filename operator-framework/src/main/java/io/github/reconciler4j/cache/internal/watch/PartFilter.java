package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.internal.UserCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which objects of a kind are in the held partition. Immutable; identity is equality. Runs code of users for keys that are
 * functions, so no lock may be held.
 *
 * @since 0.1.0
 */
public final class PartFilter {

    /** Selects everything: the kind is not divided. */
    public static final PartFilter ALL = new PartFilter(HeldParts.initial(Partition.all()), PartitionKey.whole(), null);

    private static final Logger LOG = LoggerFactory.getLogger(PartFilter.class);
    private static final String NAMESPACE = "namespace";
    private static final LogLimiter FAILURES = new LogLimiter();

    private final HeldParts held;
    private final PartitionKey key;
    private final @Nullable KindInfo info;
    private final boolean byName;
    private final String selector;

    private PartFilter(HeldParts held, PartitionKey key, @Nullable KindInfo info) {
        this.held = held;
        this.key = key;
        this.info = info;
        this.byName = info != null && !info.namespaced();
        this.selector = serverField().isEmpty() ? "" : Ranges.selector(held.partition(), serverField());
    }

    /** Return the filter of a kind; {@link #ALL} if it is not divided. */
    public static PartFilter of(HeldParts held, PartitionKey key, KindInfo info) {
        boolean all = key.type() == PartitionKey.Type.WHOLE || held.partition().isUndivided();
        return all ? ALL : new PartFilter(held, key, info);
    }

    private String serverField() {
        boolean namespaces = held.partition().serverNamespaces() && !byName;
        return switch (key.type()) {
            case UID -> "uid";
            case NAMESPACE -> namespaces ? NAMESPACE : "";
            case WHOLE, OWNER, NAMESPACE_OF, UID_OF -> "";
        };
    }

    /** Return the selector for the API server, which may select more than this filter; {@code ""} for none. */
    String selector() {
        return selector;
    }

    /** Return the number of the change of parts that led to this filter. */
    public long change() {
        return held.change();
    }

    /** Return whether an object with this metadata is selected. */
    public boolean selects(MutableHeader header) {
        return this == ALL || held.partition().isHeld(part(header));
    }

    /** Return whether an entry is selected. */
    public boolean selects(Entry entry) {
        return this == ALL || held.partition().isHeld(part(entry));
    }

    /** Return whether nothing in a namespace can be selected; {@code ""} stands for all. */
    public boolean selectsNothing(String namespace) {
        if (this == ALL) {
            return false;
        }
        Partition partition = held.partition();
        boolean other = isByNamespace(namespace) && !partition.isHeld(partition.ofNamespace(namespace));
        return other || partition.held().isEmpty();
    }

    private boolean isByNamespace(String namespace) {
        return key.type() == PartitionKey.Type.NAMESPACE && !byName && !namespace.isEmpty();
    }

    /** Return whether an entry that another filter selected is selected still, and has been since. */
    public boolean keeps(Entry entry, PartFilter before) {
        return this == ALL || before != ALL && held.isKept(part(entry), before.held);
    }

    /** Return whether objects of a namespace, {@code ""} for all, have to be listed that another filter did not select. */
    public boolean gains(String namespace, PartFilter before) {
        if (this == ALL || before == ALL) {
            return this != ALL;
        }
        return isByNamespace(namespace)
                ? held.gains(held.partition().ofNamespace(namespace), before.held)
                : held.gains(before.held);
    }

    /** Return a filter of those objects alone that another one did not select; a list of them needs no other objects. */
    public PartFilter gained(PartFilter before) {
        return new PartFilter(held.gained(before.held), key, info);
    }

    /** Return whether the API server can select, so that a list of some parts does not contain the others. */
    public boolean isServerSide() {
        return !selector.isEmpty();
    }

    /** Return whether an object stays in its part for as long as it exists. */
    boolean isFixed() {
        return switch (key.type()) {
            case WHOLE, NAMESPACE, UID -> true;
            case OWNER, NAMESPACE_OF, UID_OF -> false;
        };
    }

    private int part(MutableHeader header) {
        Partition partition = held.partition();
        return switch (key.type()) {
            case WHOLE -> 0;
            case NAMESPACE -> partition.ofNamespace(byName ? header.name() : header.namespace());
            case UID -> partition.ofUid(header.uid());
            case OWNER ->
                partition.ofUid(ownerUid(
                        header.owners() == null ? List.of() : header.owners().unpack(), header.uid()));
            case NAMESPACE_OF, UID_OF -> part(new Entry(header, "", BodyForm.NONE));
        };
    }

    /** Return the part of an object. */
    public int part(ObjectHeader header) {
        Partition partition = held.partition();
        String namespace = byName ? header.key().name() : header.key().namespace();
        return switch (key.type()) {
            case WHOLE -> 0;
            case NAMESPACE -> partition.ofNamespace(namespace);
            case UID -> partition.ofUid(header.uid());
            case OWNER -> partition.ofUid(ownerUid(header.ownerReferences(), header.uid()));
            case NAMESPACE_OF -> partition.ofNamespace(mapped(header, namespace));
            case UID_OF -> partition.ofUid(mapped(header, header.uid()));
        };
    }

    private static String ownerUid(List<OwnerRef> owners, String otherwise) {
        for (OwnerRef owner : owners) {
            if (owner.controller()) {
                return owner.uid();
            }
        }
        return otherwise;
    }

    /** One object for which the function fails must not keep the others out. */
    private String mapped(ObjectHeader header, String otherwise) {
        UserCall call = UserCall.enter(UserCall.Kind.PARTITION_KEY, info == null ? "" : info.resource(), header);
        try {
            @Nullable String mapped = key.mapping().apply(header);
            return mapped == null ? otherwise : mapped;
        } catch (Throwable e) {
            FAILURES.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "The partition key of {} {} failed: {}{}",
                            info == null ? "" : info.kind().kind(),
                            header.key(),
                            e.getClass().getName(),
                            occurrence.suffix()));
            return otherwise;
        } finally {
            call.exit();
            Thread.interrupted(); // caused by the function; must not end the request that is being read
        }
    }

    /** Writes held parts as a selector of the API server: a union of ranges of hashes. */
    private static final class Ranges {

        /** With more ranges, the address of a request would be longer than some proxies allow. */
        private static final int MAX_RANGES = 32;

        private static final String END = "0x10000000000000000";

        private Ranges() {}

        /** Adjoining parts, from one to below another. */
        record Range(int from, int to) {

            String selector(Partition partition, String field, boolean byNamespace) {
                Partition divided = byNamespace ? partition : Partition.of(partition.count(), Set.of());
                String end = to == partition.count() ? END : bound(divided.lowestHash(to));
                return "shardRange(object.metadata." + field + ", '" + bound(divided.lowestHash(from)) + "', '" + end
                        + "')";
            }

            private static String bound(long hash) {
                return String.format(Locale.ROOT, "0x%016x", hash);
            }
        }

        /** Return a selector of all held parts and, if they are very scattered, of some others; {@code ""} without any. */
        static String selector(Partition partition, String field) {
            List<Range> ranges = ranges(partition.held());
            while (ranges.size() > MAX_RANGES) {
                closeNarrowestGap(ranges);
            }
            return ranges.stream()
                    .map(range -> range.selector(partition, field, field.equals(NAMESPACE)))
                    .collect(Collectors.joining(" || "));
        }

        private static List<Range> ranges(Set<Integer> held) {
            List<Range> ranges = new ArrayList<>();
            for (int part : held) {
                int last = ranges.size() - 1;
                if (last >= 0 && ranges.get(last).to() == part) {
                    ranges.set(last, new Range(ranges.get(last).from(), part + 1));
                } else {
                    ranges.add(new Range(part, part + 1));
                }
            }
            return ranges;
        }

        private static void closeNarrowestGap(List<Range> ranges) {
            int narrowest = 1;
            for (int i = 2; i < ranges.size(); i++) {
                int gap = ranges.get(i).from() - ranges.get(i - 1).to();
                int best =
                        ranges.get(narrowest).from() - ranges.get(narrowest - 1).to();
                narrowest = gap < best ? i : narrowest;
            }
            Range after = ranges.remove(narrowest);
            ranges.set(narrowest - 1, new Range(ranges.get(narrowest - 1).from(), after.to()));
        }
    }
}
