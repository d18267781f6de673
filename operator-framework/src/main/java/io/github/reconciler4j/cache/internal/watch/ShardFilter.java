package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.CachedShards;
import io.github.reconciler4j.cache.ShardKey;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.UserCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which objects of a kind are in the held shards. Immutable; identity is equality. Runs code of users for keys that are
 * functions, so no lock may be held.
 *
 * @since 0.1.0
 */
public final class ShardFilter {

    /** Selects everything: the kind is not divided. */
    public static final ShardFilter ALL =
            new ShardFilter(HeldShards.initial(CachedShards.all()), ShardKey.whole(), null);

    private static final Logger LOG = LoggerFactory.getLogger(ShardFilter.class);
    private static final String NAMESPACE = "namespace";
    private static final LogLimiter FAILURES = new LogLimiter();

    private final HeldShards held;
    private final ShardKey key;
    private final @Nullable KindInfo info;
    private final boolean byName;
    private final String selector;

    private ShardFilter(HeldShards held, ShardKey key, @Nullable KindInfo info) {
        this.held = held;
        this.key = key;
        this.info = info;
        this.byName = info != null && !info.namespaced();
        this.selector = serverField().isEmpty() ? "" : Ranges.selector(held.shards(), serverField());
    }

    /** Return the filter of a kind; {@link #ALL} if it is not divided. */
    public static ShardFilter of(HeldShards held, ShardKey key, KindInfo info) {
        boolean all = key.type() == ShardKey.Type.WHOLE || held.shards().isUndivided();
        return all ? ALL : new ShardFilter(held, key, info);
    }

    private String serverField() {
        boolean namespaces = held.shards().serverNamespaces() && !byName;
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

    /** Return the number of the change of shards that led to this filter. */
    public long change() {
        return held.change();
    }

    /** Return whether an object with this metadata is selected. */
    public boolean selects(MutableHeader header) {
        return this == ALL || held.shards().isHeld(shard(header));
    }

    /** Return whether an entry is selected. */
    public boolean selects(Entry entry) {
        return this == ALL || held.shards().isHeld(shard(entry));
    }

    /** Return whether nothing in a namespace can be selected; {@code ""} stands for all. */
    public boolean selectsNothing(String namespace) {
        if (this == ALL) {
            return false;
        }
        CachedShards shards = held.shards();
        boolean other = isByNamespace(namespace) && !shards.isHeld(shards.ofNamespace(namespace));
        return other || shards.held().isEmpty();
    }

    private boolean isByNamespace(String namespace) {
        return key.type() == ShardKey.Type.NAMESPACE && !byName && !namespace.isEmpty();
    }

    /** Return whether an entry that another filter selected is selected still, and has been since. */
    public boolean keeps(Entry entry, ShardFilter before) {
        return this == ALL || before != ALL && held.isKept(shard(entry), before.held);
    }

    /** Return whether objects of a namespace, {@code ""} for all, have to be listed that another filter did not select. */
    public boolean gains(String namespace, ShardFilter before) {
        if (this == ALL || before == ALL) {
            return this != ALL;
        }
        return isByNamespace(namespace)
                ? held.gains(held.shards().ofNamespace(namespace), before.held)
                : held.gains(before.held);
    }

    /** Return a filter of those objects alone that another one did not select; a list of them needs no other objects. */
    public ShardFilter gained(ShardFilter before) {
        return new ShardFilter(held.gained(before.held), key, info);
    }

    /** Return whether the API server can select, so that a list of some shards does not contain the others. */
    public boolean isServerSide() {
        return !selector.isEmpty();
    }

    /** Return whether an object stays in its shard for as long as it exists. */
    boolean isFixed() {
        return switch (key.type()) {
            case WHOLE, NAMESPACE, UID -> true;
            case OWNER, NAMESPACE_OF, UID_OF -> false;
        };
    }

    private int shard(MutableHeader header) {
        CachedShards shards = held.shards();
        return switch (key.type()) {
            case WHOLE -> 0;
            case NAMESPACE -> shards.ofNamespace(byName ? header.name() : header.namespace());
            case UID -> shards.ofUid(header.uid());
            case OWNER ->
                shards.ofUid(ownerUid(
                        header.owners() == null ? List.of() : header.owners().unpack(), header.uid()));
            case NAMESPACE_OF, UID_OF -> shard(new Entry(header, "", BodyForm.NONE));
        };
    }

    /** Return the shard of an object. */
    public int shard(ObjectHeader header) {
        CachedShards shards = held.shards();
        String namespace = byName ? header.key().name() : header.key().namespace();
        return switch (key.type()) {
            case WHOLE -> 0;
            case NAMESPACE -> shards.ofNamespace(namespace);
            case UID -> shards.ofUid(header.uid());
            case OWNER -> shards.ofUid(ownerUid(header.ownerReferences(), header.uid()));
            case NAMESPACE_OF -> shards.ofNamespace(mapped(header, namespace));
            case UID_OF -> shards.ofUid(mapped(header, header.uid()));
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
        UserCall call = UserCall.enter(UserCall.Kind.SHARD_KEY, info == null ? "" : info.resource(), header);
        try {
            @Nullable String mapped = key.mapping().apply(header);
            return mapped == null ? otherwise : mapped;
        } catch (Throwable e) {
            FAILURES.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "The shard key of {} {} failed: {}{}",
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

    /** Writes held shards as a selector of the API server: a union of ranges of hashes. */
    private static final class Ranges {

        /** With more ranges, the address of a request would be longer than some proxies allow. */
        private static final int MAX_RANGES = 32;

        private static final String END = "0x10000000000000000";

        private Ranges() {}

        /** Adjoining shards, from one to below another. */
        record Range(int from, int to) {

            String selector(CachedShards shards, String field, boolean byNamespace) {
                CachedShards divided = byNamespace ? shards : CachedShards.of(shards.count(), Set.of());
                String end = to == shards.count() ? END : bound(divided.lowestHash(to));
                return "shardRange(object.metadata." + field + ", '" + bound(divided.lowestHash(from)) + "', '" + end
                        + "')";
            }

            private static String bound(long hash) {
                return String.format(Locale.ROOT, "0x%016x", hash);
            }
        }

        /** Return a selector of all held shards and, if they are very scattered, of some others; {@code ""} without any. */
        static String selector(CachedShards shards, String field) {
            List<Range> ranges = ranges(shards.held());
            while (ranges.size() > MAX_RANGES) {
                closeNarrowestGap(ranges);
            }
            return ranges.stream()
                    .map(range -> range.selector(shards, field, field.equals(NAMESPACE)))
                    .collect(Collectors.joining(" || "));
        }

        private static List<Range> ranges(Set<Integer> held) {
            List<Range> ranges = new ArrayList<>();
            for (int shard : held) {
                int last = ranges.size() - 1;
                if (last >= 0 && ranges.get(last).to() == shard) {
                    ranges.set(last, new Range(ranges.get(last).from(), shard + 1));
                } else {
                    ranges.add(new Range(shard, shard + 1));
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
