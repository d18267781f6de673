package io.github.reconciler4j.cache.internal;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of an object that is decoded once per class and then shared by all who read it. Safe for use by many threads;
 * {@code this} guards additions to {@code decoded}.
 */
final class SharedBody {

    private final Object packed;
    private final BodyForm form;
    private volatile Object[] decoded = {};

    /** A body that is kept in this form until somebody reads it, and beside what was read. */
    SharedBody(Object packed, BodyForm form) {
        this.packed = packed;
        this.form = form;
    }

    byte[] json() {
        return form.decode(packed);
    }

    /** How many bytes it takes while nobody has read it. */
    int bytes() {
        return packed instanceof byte[] bytes ? bytes.length : 0;
    }

    /** The object as an instance of a class: the one all others got, or else the fresh one. */
    <T> T object(Class<T> type, Supplier<T> fresh) {
        T known = find(type);
        if (known != null) {
            return known;
        }
        T made = fresh.get(); // decoded under no lock; two threads at once may do it twice, one of them in vain
        synchronized (this) {
            known = find(type);
            if (known == null) {
                Object[] more = Arrays.copyOf(decoded, decoded.length + 1);
                more[decoded.length] = made;
                decoded = more;
            }
        }
        return known == null ? made : known;
    }

    private <T> @Nullable T find(Class<T> type) {
        for (Object object : decoded) {
            if (object.getClass() == type) {
                return type.cast(object);
            }
        }
        return null;
    }
}
