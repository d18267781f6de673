package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.FieldTerms;
import io.github.reconciler4j.cache.internal.storage.ResourceVersions;
import io.github.reconciler4j.scheme.LabelMatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the watch of a scope has come, and which objects it delivers. Written by its reflector, read by all threads.
 *
 * @since 0.1.0
 */
public final class WatchProgress {

    private final String namespace;
    /** Null if the watch delivers objects with any labels. */
    private final @Nullable LabelMatcher labels;

    private final @Nullable FieldTerms fields;
    private volatile PartFilter parts = PartFilter.ALL;
    private volatile String position = "";
    private volatile List<GainedParts> gains = List.of();
    private volatile long receivedAt;
    private volatile long eventAt;

    /**
     * A list of gained parts.
     *
     * @param filter what it contains
     * @param version its version
     * @since 0.1.0
     */
    public record GainedParts(PartFilter filter, String version) {

        /** Return whether it contains an object if it exists, in the state of a version or a later one. */
        public boolean contains(Entry entry, String written) {
            return ResourceVersions.isNotAfter(written, version) && filter.selects(entry);
        }
    }

    /**
     * Create the progress of a watch that has not started.
     *
     * @param namespace what it watches, {@code ""} for all namespaces
     */
    public WatchProgress(String namespace, ObjectSelector selector) {
        this.namespace = namespace;
        LabelMatcher wanted = LabelMatcher.parse(selector.labels());
        this.labels = wanted.isEverything() ? null : wanted;
        this.fields = FieldTerms.parseIfKnown(selector.fields());
    }

    /** Return the version up to which everything is in the store; empty before the first list. */
    public String position() {
        return position;
    }

    /** Set the version up to which everything is in the store, after it is. */
    public void position(String version) {
        position = version;
    }

    /** Set which lists of gained parts are in the store that the watch has not passed, after they are. */
    public void gains(List<GainedParts> lists) {
        gains = lists;
    }

    /** Return whether a list of gained parts contains an object if it exists, in the state of a version or a later one. */
    public boolean isListed(Entry entry, String version) {
        return gains.stream().anyMatch(gain -> gain.contains(entry, version));
    }

    /** Return which objects the watch delivers, as far as parts decide that. */
    public PartFilter parts() {
        return parts;
    }

    /** Set which objects the watch delivers, as far as parts decide that. */
    public void parts(PartFilter filter) {
        parts = filter;
    }

    /** Return whether nothing is watched, because no part is held. */
    public boolean selectsNothing() {
        PartFilter filter = parts;
        return filter != PartFilter.ALL && filter.selectsNothing(namespace);
    }

    /** Record that something was received, in {@code TimeSource.nanoTime}; an event or bookmark, or else a list. */
    public void received(long now, boolean event) {
        receivedAt = now;
        if (event) {
            eventAt = now;
        }
    }

    /** Return when anything was received last; meaningless before the first list. */
    public long receivedAt() {
        return receivedAt;
    }

    /** Return when an event or bookmark was received last; 0 if none was. */
    public long eventAt() {
        return eventAt;
    }

    /** Return whether it is known without the API server which objects the watch delivers. */
    public boolean isSelectionKnown() {
        return fields != null;
    }

    /** Return whether an object that the watch delivers once stays selected until it is deleted, or its part is lost. */
    public boolean isSelectionFixed() {
        return labels == null && fields != null && parts.isFixed();
    }

    /** Return whether an object is in the held parts. If the kind is not divided, nothing is looked at. */
    public boolean selectsPart(MutableHeader header) {
        PartFilter filter = parts;
        return filter == PartFilter.ALL || filter.selects(header);
    }

    /** Return whether the watch delivers an object; the header is as the API server has it, before any transform. */
    public boolean selects(MutableHeader header) {
        return selectsPart(header)
                && (labels == null || labels.matches(header.labelMap()))
                && (fields == null || fields.matches(header.namespace(), header.name()));
    }
}
