package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controllers.internal.support.ServedResources;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.scheme.UnknownKindException;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the metadata of all objects that can be deleted, and keeps the graph. What a change of the graph leads to becomes a
 * request.
 *
 * <p>Thread-safe.
 */
final class Monitors implements RequestSource<GarbageRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(Monitors.class);

    static final String NAME = "garbage-collector";
    /** How long the first collection waits for watches. One that cannot start must not delay the others for ever. */
    private static final Duration INITIAL_SYNC = Duration.ofSeconds(30);

    private static final Duration RETRY = Duration.ofSeconds(1);
    /** The first delay of a request that is repeated. */
    private static final Duration LATER = Duration.ofMillis(5);

    private static final List<String> VERBS = List.of("delete", "list", "watch");
    private static final Set<String> IGNORED = Set.of("events", "events.events.k8s.io");

    private final Manager manager;
    private final Graph graph;
    private final EventRecorder events;
    private final TimeSource time;
    private final AtomicReference<@Nullable Run> current = new AtomicReference<>();

    Monitors(Manager manager, Graph graph) {
        this.manager = manager;
        this.graph = graph;
        this.events = manager.recorder(NAME + "-controller");
        this.time = manager.options().timeSource();
    }

    @Override
    public String name() {
        return "all kinds";
    }

    /** Start to watch all kinds that are served now. The controller works for one cluster, so there is one run at a time. */
    @Override
    public Running start(RequestSink<GarbageRequest> sink) {
        graph.clear();
        Run run = new Run(sink);
        current.set(run);
        try {
            run.watch(discover());
        } catch (ApiException e) {
            LOG.warn("The kinds that the API server serves are not known yet: {}", Causes.message(e));
            sink.addAfter(new GarbageRequest.Discover(), RETRY);
        }
        return run;
    }

    /** Watch the kinds that are served now, and no others. */
    void update() {
        Run run = current.get();
        if (run != null) {
            run.watch(discover());
        }
    }

    /** Return what receives the changes of the graph that a reconciliation makes. */
    GraphListener listener() {
        return Objects.requireNonNull(current.get(), "The source has not started");
    }

    /** Return what is served, to notice when it changes. */
    Set<KindInfo> served() {
        return collectable(discover());
    }

    private ServedResources discover() {
        return ServedResources.request(manager.home().connection());
    }

    private static Set<KindInfo> collectable(ServedResources served) {
        Set<KindInfo> kinds = new HashSet<>();
        for (ServedResources.Resource resource : served.supporting(VERBS)) {
            if (!IGNORED.contains(resource.kind().resource())) {
                kinds.add(resource.kind());
            }
        }
        return kinds;
    }

    private void report(ObjectId dependent, OwnerRef owner) {
        GenericKubernetesResource regarding = new GenericKubernetesResource();
        regarding.setApiVersion(dependent.apiVersion());
        regarding.setKind(dependent.kind());
        regarding.setMetadata(new ObjectMetaBuilder()
                .withNamespace(dependent.isNamespaced() ? dependent.namespace() : null)
                .withName(dependent.name())
                .withUid(dependent.uid())
                .build());
        events.warning(
                regarding,
                "OwnerRefInvalidNamespace",
                "CollectGarbage",
                "ownerRef " + ObjectId.of(owner, dependent.namespace()) + " does not exist in namespace \""
                        + dependent.namespace() + "\"");
    }

    /** The watches from one start of the controller to its stop. */
    private final class Run implements Running, GraphListener {

        private final RequestSink<GarbageRequest> sink;
        private final Map<KindName, Subscription> watched = new HashMap<>();
        private boolean closed;

        Run(RequestSink<GarbageRequest> sink) {
            this.sink = sink;
        }

        /** A group that cannot be read keeps its watches, since its kinds are probably still there. */
        synchronized void watch(ServedResources served) {
            Set<KindInfo> wanted = collectable(served);
            if (wanted.isEmpty() || closed) {
                return;
            }
            Set<KindName> names = new HashSet<>();
            for (KindInfo kind : wanted) {
                names.add(kind.kind());
                if (!watched.containsKey(kind.kind())) {
                    add(kind);
                }
            }
            for (KindName kind : List.copyOf(watched.keySet())) {
                if (!names.contains(kind) && !served.failures().containsKey(kind.apiVersion())) {
                    Objects.requireNonNull(watched.remove(kind)).close();
                    LOG.info("{} is not served any more", kind);
                }
            }
        }

        private void add(KindInfo info) {
            try {
                manager.client().scheme().register(info);
            } catch (UnknownKindException e) {
                LOG.warn("{} is not watched: {}", info.kind(), Causes.message(e));
                return;
            }
            KindName kind = info.kind();
            Informer<ObjectHeader> informer =
                    manager.cache().informer(Kind.of(kind).metadata());
            watched.put(kind, informer.subscribe(NAME, event -> onEvent(kind, event)));
        }

        private void onEvent(KindName kind, ObjectEvent<ObjectHeader> event) {
            if (event instanceof ObjectEvent.Created<ObjectHeader> created) {
                graph.present(null, ObjectState.of(kind, created.snapshot()), this);
            } else if (event instanceof ObjectEvent.Updated<ObjectHeader> updated && !updated.resync()) {
                graph.present(ObjectState.of(kind, updated.previous()), ObjectState.of(kind, updated.snapshot()), this);
            } else if (event instanceof ObjectEvent.Deleted<ObjectHeader> deleted) {
                graph.gone(ObjectState.idOf(kind, deleted.snapshot().header()), this);
            }
        }

        @Override
        public void awaitSync(Duration timeout) throws InterruptedException {
            long end = time.nanoTime() + (timeout.compareTo(INITIAL_SYNC) < 0 ? timeout : INITIAL_SYNC).toNanos();
            for (Map.Entry<KindName, Subscription> each : watchedNow().entrySet()) {
                Duration left = Duration.ofNanos(Math.max(0, end - time.nanoTime()));
                try {
                    each.getValue().awaitInitial(left);
                } catch (CacheSyncTimeoutException e) {
                    LOG.warn("Garbage is collected although {} has not synced: {}", each.getKey(), Causes.message(e));
                }
            }
        }

        private synchronized Map<KindName, Subscription> watchedNow() {
            return Map.copyOf(watched);
        }

        @Override
        public boolean isAlive() {
            return watchedNow().values().stream().allMatch(Subscription::isAlive);
        }

        @Override
        public void close() {
            List<Subscription> ending;
            synchronized (this) {
                closed = true;
                ending = new ArrayList<>(watched.values());
                watched.clear();
            }
            ending.forEach(Subscription::close);
        }

        @Override
        public void collect(ObjectId object) {
            sink.add(new GarbageRequest.Collect(object));
        }

        @Override
        public void collectLater(ObjectId object) {
            sink.addAfter(new GarbageRequest.Collect(object), LATER);
        }

        @Override
        public void orphan(ObjectId owner) {
            sink.add(new GarbageRequest.Orphan(owner));
        }

        @Override
        public void invalidNamespace(ObjectId dependent, OwnerRef owner) {
            report(dependent, owner);
        }
    }
}
