package io.github.reconciler4j.spring.observation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The key values of one cardinality, instead of those of the superclass. Micrometer adds the key values of a convention one by
 * one, at the start and again at the end, and sorts them each time that a handler reads them. Here they stay together until
 * something else is added or removed.
 *
 * <p>Key values can be of a class of the user, so none of their methods is called while the lock is held. Thread-safe.
 */
final class ContextKeyValues {

    /** Those that were added last, at once, and are not among the others yet. */
    @GuardedBy("this")
    private @Nullable KeyValues last;

    /** All others by their keys; null if there were none yet. */
    @GuardedBy("this")
    private @Nullable Map<String, KeyValue> others;

    void add(KeyValues added) {
        boolean isAdded = false;
        while (!isAdded) {
            KeyValues before = last();
            if (before == null || before == added || haveEqualKeys(before, added)) {
                isAdded = replaceLast(before, added);
            } else {
                settle(before);
            }
        }
    }

    private synchronized @Nullable KeyValues last() {
        return last;
    }

    private synchronized boolean replaceLast(@Nullable KeyValues before, KeyValues after) {
        if (last != before) {
            return false;
        }
        last = after;
        return true;
    }

    private static boolean haveEqualKeys(KeyValues some, KeyValues others) {
        Iterator<KeyValue> other = others.iterator();
        for (KeyValue each : some) {
            if (!other.hasNext() || !other.next().getKey().equals(each.getKey())) {
                return false;
            }
        }
        return !other.hasNext();
    }

    /** Move those that were added last to the others, unless another thread has. */
    private void settle(KeyValues added) {
        Map<String, KeyValue> byKey = new HashMap<>();
        for (KeyValue each : added) {
            byKey.put(each.getKey(), each);
        }
        synchronized (this) {
            if (last == added) {
                last = null;
                settled().putAll(byKey);
            }
        }
    }

    private void settle() {
        KeyValues added = last();
        if (added != null) {
            settle(added);
        }
    }

    @GuardedBy("this")
    private Map<String, KeyValue> settled() {
        Map<String, KeyValue> known = others;
        if (known == null) {
            known = new HashMap<>();
            others = known;
        }
        return known;
    }

    void add(KeyValue added) {
        String key = added.getKey();
        settle();
        synchronized (this) {
            settled().put(key, added);
        }
    }

    void remove(String... keys) {
        settle();
        synchronized (this) {
            settled().keySet().removeAll(List.of(keys));
        }
    }

    KeyValues all() {
        synchronized (this) {
            if (others == null) {
                return last == null ? KeyValues.empty() : last;
            }
        }
        settle();
        List<KeyValue> all;
        synchronized (this) {
            all = List.copyOf(settled().values());
        }
        return KeyValues.of(all);
    }

    @Nullable
    KeyValue get(String key) {
        KeyValues added;
        KeyValue other;
        synchronized (this) {
            added = last;
            other = others == null ? null : others.get(key);
        }
        if (added != null) {
            for (KeyValue each : added) {
                if (key.equals(each.getKey())) {
                    return each;
                }
            }
        }
        return other;
    }
}
