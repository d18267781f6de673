package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.watch.ListSnapshot;
import io.github.reconciler4j.cache.internal.watch.PartFilter;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore;
import io.github.reconciler4j.cache.internal.watch.WatchReader;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a reflector writes into the store, one step when it is its turn. */
final class SteppedStore implements ReflectorStore {

    private final ScopeStore scoped;
    private final Turns turns;
    private final Supplier<PartFilter> parts;
    private final Consumer<String> trace;
    private final Runnable stored;
    private @Nullable PartFilter selected;

    /**
     * Create it.
     *
     * @param parts returns what the held parts select
     * @param trace receives what the reflector does
     * @param stored called after each step that writes
     */
    SteppedStore(ScopeStore scoped, Turns turns, Supplier<PartFilter> parts, Consumer<String> trace, Runnable stored) {
        this.scoped = scoped;
        this.turns = turns;
        this.parts = parts;
        this.trace = trace;
        this.stored = stored;
    }

    /** Return the number of the last change of parts that the reflector has noticed. */
    long selectedChange() {
        return selected == null ? 0 : selected.change();
    }

    private <T> T step(Step<T> step) throws IOException {
        try {
            return step.run();
        } finally {
            stored.run();
        }
    }

    private <T> T quietly(Step<T> step) {
        try {
            return step(step);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Missing select(PartFilter filter) {
        turns.await(Turns.Place.SELECTING);
        selected = filter;
        trace.accept("selects what is held since change " + filter.change());
        return quietly(() -> scoped.select(filter));
    }

    @Override
    public void selectedNothing() {
        quietly(() -> {
            scoped.selectedNothing();
            return null;
        });
        if (parts.get() == selected) {
            turns.asleep();
        }
    }

    @Override
    public ListSnapshot newList(Missing missing, boolean bodies) {
        return scoped.newList(missing, bodies);
    }

    @Override
    public void replace(ListSnapshot list, String version) {
        trace.accept("lists everything at " + version);
        quietly(() -> {
            scoped.replace(list, version);
            return null;
        });
    }

    @Override
    public boolean add(ListSnapshot list, String version) {
        trace.accept("lists what was gained at " + version);
        return quietly(() -> scoped.add(list, version));
    }

    @Override
    public void event(WatchReader.Type type, MutableHeader header, EntryReader object) throws IOException {
        step(() -> {
            scoped.event(type, header, object);
            return null;
        });
    }

    @Override
    public void bookmark(String version) {
        trace.accept("reads a bookmark at " + version);
        quietly(() -> {
            scoped.bookmark(version);
            return null;
        });
    }

    private interface Step<T> {
        T run() throws IOException;
    }
}
