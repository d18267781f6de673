package io.github.reconciler4j.cache.internal.storage;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The body of an object that is decoded once per class and then shared by all who read it. Thread-safe. */
final class SharedBody {

    private final Object encoded;
    private final BodyForm form;
    /** Replaced as a whole while synchronized, so that reading is not. */
    private volatile Object[] decoded = {};

    /** Create a body that is kept in a form until it is read, and beside what was read. */
    SharedBody(Object encoded, BodyForm form) {
        this.encoded = encoded;
        this.form = form;
    }

    byte[] json() {
        return form.decode(encoded);
    }

    /** Return the number of bytes it takes until it is read. */
    int bytes() {
        return encoded instanceof byte[] bytes ? bytes.length : 0;
    }

    /** Return the object as an instance of a class: the one that all others got, otherwise the fresh one. */
    <T> T object(Class<T> type, Supplier<T> fresh) {
        T known = find(type);
        if (known != null) {
            return known;
        }
        return add(type, fresh.get()); // decoded under no lock, of two threads one does it in vain
    }

    private synchronized <T> T add(Class<T> type, T fresh) {
        T known = find(type);
        if (known != null) {
            return known;
        }
        Object[] more = Arrays.copyOf(decoded, decoded.length + 1);
        more[decoded.length] = fresh;
        decoded = more;
        return fresh;
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
