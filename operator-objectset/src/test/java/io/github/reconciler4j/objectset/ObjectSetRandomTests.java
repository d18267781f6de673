package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.objectset.LateReader.Header;
import io.github.reconciler4j.objectset.LateReader.Place;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.ServerChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Random sets against the API server in this JVM: the process ends before or after any of its writes and starts again with a
 * late cache, deletions are refused, objects of others appear under the same names, and users delete objects. Nothing of others is
 * touched, nothing is deleted before its turn, and in the end there is what the set wants and nothing else. More cases:
 * {@code -Dobjectset.cases=10000}; {@code -Dobjectset.seed=7 -Dobjectset.cases=1} repeats one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObjectSetRandomTests {

    private static final int CASES = Integer.getInteger("objectset.cases", 300);
    private static final long SEED = Long.getLong("objectset.seed", 0);
    private static final int ROUNDS = 4;
    private static final int LONGEST = 200;

    private final Map<Place, String> truth = new ConcurrentSkipListMap<>();
    private KubernetesServer server;
    private ApiConnection connection;

    @BeforeAll
    void start() {
        server = KubernetesServer.builder()
                .https(false)
                .garbageCollection(false)
                .requestLogSize(1)
                .historySize(10)
                .start();
        connection = ApiConnection.open(server.clientConfig());
        observe("", "secrets", "Secret");
        observe("", "serviceaccounts", "ServiceAccount");
        observe("", "configmaps", "ConfigMap");
        observe("rbac.authorization.k8s.io", "clusterroles", "ClusterRole");
    }

    @AfterAll
    void stop() {
        connection.close();
        server.close();
    }

    private volatile History current;

    private void observe(String group, String plural, String kind) {
        server.onChange(group, plural, change -> {
            Place place = new Place(kind, new ObjectKey(change.namespace(), change.name()));
            String before =
                    change.type() == ServerChange.Type.REMOVED ? truth.remove(place) : truth.put(place, change.json());
            History history = current;
            if (history != null) {
                history.changed(place, before, change);
            }
        });
    }

    @Test
    void setsWhenAnythingGoesWrongTouchNothingForeignAndLeaveNothing() {
        for (long seed = SEED; seed < SEED + CASES; seed++) {
            History history = new History(seed);
            current = history;
            try {
                history.run();
            } catch (Throwable e) {
                throw new AssertionError(
                        "-Dobjectset.seed=" + seed + " -Dobjectset.cases=1: " + e.getMessage() + "\n"
                                + String.join("\n", history.log),
                        e);
            } finally {
                current = null;
            }
        }
    }

    /** The process ends. */
    private static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash", null, false, false);
        }
    }

    /** One history. */
    private final class History implements ClientInterceptor {

        private final Random random;
        private final String namespace;
        private final String otherNamespace;
        private final RandomGraph graph;
        private final LateReader cache = new LateReader();
        private final List<String> log = new ArrayList<>();
        private final List<String> violations = new CopyOnWriteArrayList<>();
        private final Set<String> foreign = ConcurrentHashMap.newKeySet();
        private final Set<Place> deleted = ConcurrentHashMap.newKeySet();
        private final Set<Place> refused = new HashSet<>();
        private final Client user;
        private Map<Place, String> past = Map.of();
        private String ownerUid = "";
        private volatile boolean operating;
        private volatile boolean deleting;
        private volatile int writes;
        private int crashAt = Integer.MAX_VALUE;
        private boolean crashBefore;
        private ObjectSets sets;

        History(long seed) {
            random = new Random(seed);
            namespace = "set-" + Long.toString(seed, 36);
            otherNamespace = "other-" + Long.toString(seed, 36);
            graph = new RandomGraph(random, namespace, otherNamespace);
            user = Client.create(
                    connection, Scheme.create(), ClientOptions.defaults().withFieldManager("user"));
        }

        /** Start the process; its first list can be older than what the former process wrote. */
        void restart() {
            if (!past.isEmpty() && random.nextBoolean()) {
                cache.catchUp(past);
                log.add("starts with a late cache");
            }
            Client client = Client.create(connection, Scheme.create(), cache, ClientOptions.defaults())
                    .intercepted(this);
            sets = ObjectSets.create(client);
        }

        @Override
        public ApiResponse intercept(ClientCall call, Next next) {
            if (!call.verb().isWrite()) {
                return next.proceed(call);
            }
            boolean last = ++writes >= crashAt;
            if (last && crashBefore) {
                throw new Crash();
            }
            Place place = new Place(call.kind().kind().kind(), call.key().orElseThrow());
            if (call.verb() == ClientCall.Verb.DELETE && refused.contains(place)) {
                throw new IllegalStateException("a policy refuses this");
            }
            ApiResponse response = next.proceed(call);
            if (last) {
                throw new Crash();
            }
            return response;
        }

        /** Called by the threads of the server while this one waits for its answer. */
        void changed(Place place, String before, ServerChange change) {
            if (!operating) {
                if (change.type() == ServerChange.Type.CREATED) {
                    foreign.add(change.uid());
                }
                return;
            }
            boolean gone = change.type() == ServerChange.Type.REMOVED;
            cache.show(place, gone ? null : change.json());
            if (change.uid().equals(ownerUid)) {
                return;
            }
            if (foreign.contains(change.uid())) {
                violations.add(change.type() + " foreign " + place);
            }
            boolean marked = !gone && LateReader.header(change.json()).isBeingDeleted();
            boolean markedBefore = before != null && LateReader.header(before).isBeingDeleted();
            if (gone && !markedBefore || marked && !markedBefore) {
                deletedNow(place);
            }
        }

        private void deletedNow(Place place) {
            deleted.add(place);
            if (deleting) {
                graph.before(place).stream()
                        .filter(this::isOurs)
                        .forEach(later -> violations.add("deleted " + place + " before " + later));
            } else if (graph.desired().containsKey(place)) {
                violations.add("deleted " + place + ", which is wanted");
            }
        }

        private boolean isOurs(Place place) {
            String json = truth.get(place);
            return json != null && !foreign.contains(LateReader.header(json).uid());
        }

        void run() {
            user.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(namespace)
                    .endMetadata()
                    .build());
            user.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(otherNamespace)
                    .endMetadata()
                    .build());
            HasMetadata owner = RandomGraph.empty(ownerPlace());
            owner.getMetadata().setFinalizers(List.of("example.com/finalizer"));
            ownerUid = user.create(owner).getMetadata().getUid();
            cache.catchUp(own());
            restart();
            past = own();
            for (int round = 0; round < ROUNDS; round++) {
                graph.change();
                disturb();
                reconcile();
            }
            converge();
            finish();
        }

        private Place ownerPlace() {
            return new Place("ConfigMap", ObjectKey.of(namespace, "owner"));
        }

        /** Return the truth about this history. */
        private Map<Place, String> own() {
            Map<Place, String> own = new java.util.TreeMap<>();
            truth.forEach((place, json) -> {
                String in = place.key().namespace();
                if (in.equals(namespace)
                        || in.equals(otherNamespace)
                        || place.key().name().endsWith("-" + namespace)) {
                    own.put(place, json);
                }
            });
            return own;
        }

        /** Others do something, and the cache sees it or not. */
        private void disturb() {
            List<Place> places = graph.places();
            for (int i = random.nextInt(3); i > 0 && !places.isEmpty(); i--) {
                Place place = places.get(random.nextInt(places.size()));
                if (truth.containsKey(place) && random.nextBoolean()) {
                    log.add("user deletes " + place);
                    user.delete(RandomGraph.empty(place));
                }
                if (!truth.containsKey(place) && random.nextInt(3) == 0) {
                    log.add("user creates " + place);
                    user.create(RandomGraph.empty(place));
                }
            }
            letGo(false);
            past = random.nextInt(3) == 0 ? own() : past;
            refused.clear();
            places.stream().filter(place -> random.nextInt(6) == 0).forEach(refused::add);
            if (random.nextInt(2) == 0) {
                log.add("cache catches up");
                cache.catchUp(own());
            }
            crashAt = random.nextInt(2) == 0 ? Integer.MAX_VALUE : writes + 1 + random.nextInt(8);
            crashBefore = random.nextBoolean();
        }

        /** Remove the finalizers that keep objects from going. */
        private void letGo(boolean all) {
            own().forEach((place, json) -> {
                Header header = LateReader.header(json);
                if (header.isBeingDeleted()
                        && header.finalizers().contains(RandomGraph.SLOW)
                        && (all || random.nextBoolean())) {
                    HasMetadata object = user.live()
                            .get(RandomGraph.kind(place.kind()), place.key())
                            .orElseThrow();
                    object.getMetadata().setFinalizers(List.of());
                    user.update(object);
                }
            });
        }

        private ConfigMap owner() {
            return cache.get(
                            io.github.reconciler4j.scheme.Kind.of(ConfigMap.class),
                            ownerPlace().key())
                    .orElseThrow();
        }

        /** Reconcile as a controller does; return the result, null after a crash. */
        private ObjectSetResult reconcile() {
            deleted.clear();
            operating = true;
            ObjectSetResult result = null;
            try {
                result = sets.reconcile(graph.set(owner()));
            } catch (Crash e) {
                restart();
            } finally {
                operating = false;
            }
            log.add("reconciled: " + (result == null ? "crash" : result.objects()));
            if (result != null) {
                Set<Place> done = new HashSet<>();
                result.objects(State.DONE)
                        .forEach(each -> done.add(new Place(each.kind().kind(), each.key())));
                for (Place place : graph.blocked(done::contains)) {
                    if (deleted.contains(place)) {
                        violations.add("deleted " + place + ", whose step has not had its turn");
                    }
                }
            }
            check();
            return result;
        }

        private void check() {
            assertThat(violations).isEmpty();
        }

        /** Without further faults, there is exactly what the set wants. */
        private void converge() {
            refused.clear();
            graph.notReady.clear();
            crashAt = Integer.MAX_VALUE;
            own().forEach((place, json) -> {
                if (!place.equals(ownerPlace())
                        && foreign.contains(LateReader.header(json).uid())) {
                    user.delete(RandomGraph.empty(place));
                }
            });
            int before = -1;
            for (int i = 0; before != writes; i++) {
                assertThat(i).as("reconciliations until nothing is written").isLessThan(30);
                before = writes;
                letGo(true);
                cache.catchUp(own());
                reconcile();
            }
            Map<Place, String> versions = new java.util.TreeMap<>();
            own().forEach((place, json) -> {
                if (!place.equals(ownerPlace())) {
                    versions.put(place, LateReader.header(json).labels().getOrDefault("version", "none"));
                }
            });
            assertThat(versions).isEqualTo(graph.desired());
        }

        /** The owner is deleted. */
        private void finish() {
            user.delete(RandomGraph.empty(ownerPlace()));
            cache.catchUp(own());
            boolean done = false;
            for (int i = 0; !done; i++) {
                assertThat(i).as("calls of the cleaner").isLessThan(LONGEST);
                disturbDeletion(i);
                done = delete();
                check();
            }
            assertThat(own().keySet().stream()
                            .filter(place -> !place.equals(ownerPlace()))
                            .filter(this::isOurs))
                    .isEmpty();
            own().forEach((place, json) -> {
                HasMetadata left = user.live()
                        .get(RandomGraph.kind(place.kind()), place.key())
                        .orElseThrow();
                left.getMetadata().setFinalizers(List.of());
                user.delete(user.update(left));
            });
        }

        private void disturbDeletion(int call) {
            letGo(false);
            refused.clear();
            if (call < 10) {
                graph.places().stream().filter(place -> random.nextInt(8) == 0).forEach(refused::add);
            }
            if (random.nextInt(2) == 0) {
                cache.catchUp(own());
            }
            crashAt = random.nextInt(3) != 0 ? Integer.MAX_VALUE : writes + 1 + random.nextInt(4);
            crashBefore = random.nextBoolean();
        }

        private boolean delete() {
            operating = true;
            deleting = true;
            try {
                ObjectSetResult result = sets.delete(graph.set(owner()));
                log.add("deleted: " + result.objects());
                return result.objects(State.FAILED).isEmpty()
                        && result.toCleanupResult().isDone();
            } catch (Crash e) {
                log.add("deleted: crash");
                restart();
                return false;
            } finally {
                operating = false;
                deleting = false;
            }
        }
    }
}
