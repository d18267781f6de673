package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerState;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Deleted;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.source.PollSource;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.LruMap;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds objects that a controller does not select any more and that have its finalizer, which would keep them and their
 * namespace for ever.
 *
 * <p>What selects are labels, in two places. The selector of the controller leaves the other objects in the cache, so an event
 * or the list of a start shows them: this costs nothing. The selector of the cache hides them: the watch reports an object that
 * leaves as deleted, so each deletion of an object with the finalizer costs a request for its live metadata, and those that left
 * while no watch ran are found by a list of metadata at each start. That list has to show one moment, and this moment has to be
 * after the controller watches: an object that moves between two lists, or leaves between the list and the watch, would be in
 * neither. A second list, minutes later, finds an object to which a former leader was adding the finalizer meanwhile. After that,
 * nothing is requested, and no thread runs, until an object leaves.
 *
 * <p>Namespaces and parts are not looked at: an object cannot leave its namespace, and one of another namespace or part has
 * another controller that knows the finalizer. That is also possible for labels, if two programs divide a kind by them and use
 * the same finalizer. So an object is released once only: one that has the finalizer again later has it from another program,
 * and a warning says so.
 *
 * <p>Thread-safe.
 */
final class Departures {

    private static final Logger LOG = LoggerFactory.getLogger(Departures.class);
    private static final Duration SWEEP_CHECK = Duration.ofSeconds(1);

    /** Longer than a write of a former leader can be in progress. */
    private static final Duration SECOND_SWEEP = Duration.ofMinutes(10);

    private static final int MAX_RELEASED = 1024;

    private final PrimarySettings<?> settings;
    private final BuildTarget site;
    private final KindInfo kind;
    private final String finalizer;
    private final KindCacheOptions watched;
    private final LogLimiter warnings = new LogLimiter();

    /** The uids of released objects. */
    private final LruMap<String, Boolean> released = new LruMap<>(MAX_RELEASED);

    Departures(PrimarySettings<?> settings, BuildTarget site, KindInfo kind, String finalizer) {
        this.settings = settings;
        this.site = site;
        this.kind = kind;
        this.finalizer = finalizer;
        this.watched = site.manager().options().cache().of(Kind.of(kind.kind()));
    }

    /** Return whether an event is about an object that may have left, whatever the predicates of users say. */
    boolean mayConcern(ObjectEvent<?> event) {
        ObjectHeader header = event.snapshot().header();
        if (!hasFinalizer(header) && !isOutdated(event)) {
            return false;
        }
        String namespace = header.key().namespace();
        return event instanceof Deleted<?>
                ? isHidden(namespace) && settings.selects(namespace)
                : settings.selects(namespace) && !settings.selects(header);
    }

    /** The object can have got the finalizer, and left, while no watch ran. */
    private static boolean isOutdated(ObjectEvent<?> event) {
        return event instanceof Deleted<?> deleted && deleted.finalStateUnknown();
    }

    /** Return whether the cache lacks objects of a namespace that have other labels or fields. */
    boolean isHidden(String namespace) {
        return !selector(namespace).equals(ObjectSelector.everything());
    }

    private ObjectSelector selector(String namespace) {
        return watched.namespaces().selectors().getOrDefault(namespace, watched.selector());
    }

    /** Return the object of a request if it is not selected and has the finalizer. Asks the API server about hidden objects. */
    Optional<ObjectHeader> find(Request request) {
        Optional<ObjectHeader> cached = site.cache().get(Kind.of(kind.kind()).metadata(), request.key());
        if (cached.isPresent() || !isHidden(request.namespace())) {
            return cached.filter(header -> !settings.selects(header) && hasFinalizer(header));
        }
        return findLive(request);
    }

    /** Return the live object of a request if it is not selected and has the finalizer. */
    Optional<ObjectHeader> findLive(Request request) {
        return site.client()
                .live()
                .get(Kind.of(kind.kind()).metadata(), request.key())
                .filter(header -> hasFinalizer(header) && isOutside(header.key().namespace(), header.labels()));
    }

    private boolean hasFinalizer(ObjectHeader header) {
        return header.finalizers().contains(finalizer);
    }

    /**
     * Return whether an object to which the finalizer was added has other labels than the cache knew; no event will say so if the
     * cache hides it.
     */
    boolean hasLeft(HasMetadata written) {
        ObjectMeta metadata = written.getMetadata();
        Map<String, String> labels = Objects.requireNonNullElse(metadata.getLabels(), Map.of());
        String namespace = Objects.requireNonNullElse(metadata.getNamespace(), "");
        return !settings.selects(labels) || !hiddenBy(namespace).matches(labels);
    }

    /** One with the right labels can be so new that the cache does not have it yet. */
    private boolean isOutside(String namespace, Map<String, String> labels) {
        return !settings.selects(labels)
                || !hiddenBy(namespace).matches(labels)
                || !selector(namespace).fields().isEmpty();
    }

    private LabelMatcher hiddenBy(String namespace) {
        return LabelMatcher.parse(selector(namespace).labels());
    }

    /** Return whether an object that left is to be released, and not for the second time. */
    boolean mayRelease(ObjectHeader header) {
        if (released.put(header.uid(), true) == null) {
            return true;
        }
        warnings.log(
                "again",
                occurrence -> LOG.warn(
                        "Another program has added the finalizer '{}' again to {} {}, which is not selected here and was"
                                + " released: give each program a finalizer of its own (R4J-108){}",
                        finalizer,
                        kind.resource(),
                        header.key(),
                        occurrence.suffix()));
        return false;
    }

    /** The finalizer of an object could not be removed, or was added again by this controller. */
    void forget(String uid) {
        released.remove(uid);
    }

    /** Add a source of the objects that left while no watch ran to a controller, if the cache hides any. */
    void sweep(Controller<Request> controller) {
        if (isHidden("") || watched.namespaces().named().stream().anyMatch(this::isHidden)) {
            controller.watch(new Sweep(() -> controller.state() == ControllerState.RUNNING, SECOND_SWEEP));
        }
    }

    private Map<Request, String> hiddenWithFinalizer() {
        Map<Request, String> found = new HashMap<>();
        for (String namespace : listed()) {
            Selection options = Selection.inNamespace(namespace)
                    .withLabelSelector(other(selector(namespace)).toString());
            for (ObjectHeader header :
                    site.client().live().list(Kind.of(kind.kind()).metadata(), options)) {
                if (hasFinalizer(header)) {
                    found.put(Request.of(header.key()), header.uid());
                }
            }
        }
        return found;
    }

    /** The namespaces to list, {@code ""} for all. */
    private Set<String> listed() {
        CachedNamespaces cached = watched.namespaces();
        if (!settings.namespaces().isEmpty()) {
            return settings.namespaces();
        }
        return cached.others() || cached.isFollowed() || cached.named().isEmpty() ? Set.of("") : cached.named();
    }

    /** One selector for all that is hidden, which several requirements do not have. */
    private static LabelMatcher other(ObjectSelector selector) {
        List<LabelMatcher> others = selector.fields().isEmpty()
                ? LabelMatcher.parse(selector.labels()).complement()
                : List.of();
        return others.size() == 1 ? others.get(0) : LabelMatcher.everything();
    }

    /** Lists when the controller watches its kind and has seen all that exists, and a second time. */
    final class Sweep implements RequestSource<Request> {

        private final BooleanSupplier watching;
        private final Duration second;

        Sweep(BooleanSupplier watching, Duration second) {
            this.watching = watching;
            this.second = second;
        }

        @Override
        public String name() {
            return kind.resource() + " with other labels";
        }

        @Override
        public Running start(RequestSink<Request> sink) {
            Running first = new Round(watching).start(SWEEP_CHECK, sink);
            AtomicBoolean waited = new AtomicBoolean();
            Running later = new Round(() -> waited.getAndSet(true) && watching.getAsBoolean()).start(second, sink);
            return new Both(first, later);
        }

        /** Two polls, each with a thread until it has listed. */
        private record Both(Running first, Running later) implements Running {

            @Override
            public boolean isAlive() {
                return first.isAlive() && later.isAlive();
            }

            @Override
            public void close() {
                try {
                    first.close();
                } finally {
                    later.close();
                }
            }
        }

        /** Polls until it has listed once. */
        private final class Round {

            private final BooleanSupplier due;
            private final CompletableFuture<Running> running = new CompletableFuture<>();

            Round(BooleanSupplier due) {
                this.due = due;
            }

            Running start(Duration interval, RequestSink<Request> sink) {
                Running started = PollSource.ofAll(name(), interval, this::poll).start(sink);
                running.complete(started);
                return started;
            }

            private Map<Request, String> poll() throws Exception {
                if (!due.getAsBoolean()) {
                    return Map.of();
                }
                Map<Request, String> found = hiddenWithFinalizer();
                running.get().close();
                return found;
            }
        }
    }
}
