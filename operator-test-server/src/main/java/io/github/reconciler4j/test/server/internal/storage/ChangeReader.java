package io.github.reconciler4j.test.server.internal.storage;

import org.jspecify.annotations.Nullable;

/** Follows the changes of one resource. For one thread at a time; {@link #close} may come from any. */
public final class ChangeReader implements AutoCloseable {
    private final VersionedStore store;
    private final Table table;
    private final Runnable listener;
    private final long from;
    private ChangeLog.Entry place;

    ChangeReader(VersionedStore store, Table table, ChangeLog.Entry place, long from, Runnable listener) {
        this.store = store;
        this.table = table;
        this.place = place;
        this.from = from;
        this.listener = listener;
    }

    /**
     * Return the next change, or null if there is no change yet.
     *
     * @throws HistoryGoneException if the reader was so slow that the next change was dropped
     */
    public @Nullable Change next() throws HistoryGoneException {
        ChangeLog.Entry next = place.next();
        while (next != null && next.change != null && next.change.version() <= store.version()) {
            if (!table.log.reaches(next.change.version() - 1) && next.change.version() <= table.log.forgotten()) {
                throw new HistoryGoneException(next.change.version(), table.log.forgotten() + 1);
            }
            place = next;
            if (next.change.version() > from) {
                return next.change;
            }
            next = place.next();
        }
        return null;
    }

    @Override
    public void close() {
        table.listeners.remove(listener);
    }
}
