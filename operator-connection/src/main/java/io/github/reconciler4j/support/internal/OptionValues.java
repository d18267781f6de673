package io.github.reconciler4j.support.internal;

import java.util.function.Consumer;

/**
 * The values behind immutable options: fields with their defaults, in a nested class. Options have one final field of this
 * type and change a copy of it, so a new option is one more field here. Not thread-safe while it is changed.
 *
 * @param <V> the class itself
 */
public abstract class OptionValues<V extends OptionValues<V>> implements Cloneable {

    /** Return a copy with a change. Values that are collections must be replaced and not changed. */
    @SuppressWarnings("unchecked") // a clone has the class of the original
    public final V changed(Consumer<? super V> change) {
        try {
            V copy = (V) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e); // this class is cloneable
        }
    }
}
