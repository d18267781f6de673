package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import java.io.IOException;

/**
 * Where a reflector puts what it reads of one scope: the only thing that the watching side knows of the storing side.
 * Called by the thread of the reflector, one call at a time. What was passed in one call is visible to readers and offered
 * to subscriptions when the call returns.
 *
 * @since 0.1.0
 */
public interface ReflectorStore {

    /**
     * What is selected and not stored.
     *
     * @since 0.1.0
     */
    enum Missing {
        NOTHING,
        /** The objects of gained parts, which the API server can send alone. */
        GAINED,
        ALL
    }

    /**
     * Keep only what a filter selects from now on, and remove the rest. To be called before anything else, and again when
     * parts have changed.
     *
     * @return what has to be listed, because the filter selects something that is not stored
     */
    Missing select(PartFilter filter);

    /** Record that nothing is watched, because the filter selects nothing of the scope. */
    void selectedNothing();

    /**
     * Return a new, empty list. Nothing changes before it is passed to {@link #replace} or {@link #add}.
     *
     * @param missing whether it is a list of what is missing, or of everything
     * @param bodies whether the list is read with bodies
     */
    ListSnapshot newList(Missing missing, boolean bodies);

    /**
     * Replace everything of the scope by a complete list.
     *
     * @param version the version of the list
     */
    void replace(ListSnapshot list, String version);

    /**
     * Add a complete list of what was gained. The watch continues where it was, so it delivers older events of these objects as
     * well, which are left out.
     *
     * @param version the version of the list
     * @return false if the list is older than what the watch has delivered, or that is unknown; nothing was added then
     */
    boolean add(ListSnapshot list, String version);

    /**
     * Apply an event of an object, unless what is stored is as new.
     *
     * @param type {@code ADDED}, {@code MODIFIED} or {@code DELETED}
     * @param header the metadata of the object
     * @param object the object that was read last
     */
    void event(WatchReader.Type type, MutableHeader header, EntryReader object) throws IOException;

    /** Record that an event has an object that cannot be one of the kind; nothing is stored of it. */
    default void setAside(SetAside object) {}

    /** Record that everything up to a version was delivered. */
    void bookmark(String version);
}
