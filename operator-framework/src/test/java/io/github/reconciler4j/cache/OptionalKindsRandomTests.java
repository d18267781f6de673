package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Definitions that appear and vanish in random order, while objects are written, watches break, subscriptions come and go, and
 * reads must not fail. In the end the cache and each subscription equal the server, and nothing is left of a kind that is not
 * served. {@code -Doptional.seed=7 -Doptional.cases=1} runs one case.
 */
@Timeout(7200)
class OptionalKindsRandomTests {

    private static final int FIRST = Integer.getInteger("optional.seed", 0);
    private static final int CASES = Integer.getInteger("optional.cases", 300);
    private static final int STEPS = 14;

    private static KubernetesServer server;
    private static ApiConnection connection;

    @BeforeAll
    static void start() {
        server = KubernetesServer.start();
        connection = ApiConnection.open(server.clientConfig());
    }

    @AfterAll
    static void stop() {
        connection.close();
        server.close();
    }

    @Test
    void cacheAndSubscriptionsFollowTheServer() {
        List<String> failed = IntStream.range(FIRST, FIRST + CASES)
                .parallel()
                .mapToObj(seed -> {
                    try (Case random = new Case(seed)) {
                        random.run();
                        return "";
                    } catch (Throwable e) {
                        return "seed " + seed + ": " + e;
                    }
                })
                .filter(failure -> !failure.isEmpty())
                .toList();
        assertThat(failed).isEmpty();
        until(
                "no thread is left",
                () -> LiveThreads.named("reflector-gadgets.random", "subscription-random-")
                        .isEmpty());
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(ServedCache.LONG)
                .until(condition);
    }

    /** What one subscription knows. */
    private static final class View implements ObjectListener<ObjectHeader> {

        private final Set<String> names = ConcurrentHashMap.newKeySet();
        private Subscription subscription;

        @Override
        public void onEvent(ObjectEvent<ObjectHeader> event) {
            String name = event.snapshot().key().name();
            if (event instanceof ObjectEvent.Deleted<ObjectHeader>) {
                names.remove(name);
            } else {
                names.add(name);
            }
        }
    }

    /** One sequence, on a kind of its own. */
    private static final class Case implements AutoCloseable {

        private final Random random;
        private final String group;
        private final Kind<GenericKubernetesResource> kind;
        private final Scheme scheme = Scheme.create();
        private final Client client;
        private final Cache cache;
        private final Map<Integer, View> views = new ConcurrentHashMap<>();
        private final Set<String> objects = new TreeSet<>();
        private final List<String> steps = new ArrayList<>();
        private boolean defined;
        private int subscribed;

        Case(int seed) {
            random = new Random(seed);
            group = "random" + seed + ".optional.example.io";
            kind = Kind.of(KindName.of(group + "/v1", "Gadget"));
            scheme.register(new KindInfo(kind.name(), "gadgets", true));
            client = Client.create(connection, scheme, ClientOptions.defaults());
            CacheOptions options = CacheOptions.defaults().withSyncTimeout(ServedCache.LONG);
            cache = Cache.create(
                    connection,
                    scheme,
                    options.withWatch(options.watch().withBackoff(Duration.ofMillis(2), Duration.ofMillis(20))));
            subscribe();
            if (random.nextBoolean()) {
                define();
            }
            cache.start();
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                step(random.nextInt(12));
            }
            settle();
        }

        private void step(int which) {
            steps.add(String.valueOf(which));
            switch (which) {
                case 0, 1, 2 -> {
                    if (defined) {
                        undefine();
                    } else {
                        define();
                    }
                }
                case 3, 4, 5 -> write();
                case 6 -> subscribe();
                case 7 -> unsubscribe();
                case 8 -> server.endWatches(RequestMatch.watches().kind("gadgets"), WatchEnd.CONNECTION_RESET);
                case 9 -> cache.list(kind, Selection.all());
                case 10 -> cache.get(kind.metadata(), ObjectKey.of("default", "g0"));
                default -> settle();
            }
        }

        /** A definition that is being deleted has to go before it is created again. */
        private void define() {
            until("the definition is created", () -> {
                try {
                    client.create(
                            Serialization.unmarshal(Definitions.of(group, "Gadget"), CustomResourceDefinition.class));
                    return true;
                } catch (AlreadyExistsException e) {
                    return false;
                }
            });
            defined = true;
        }

        private void undefine() {
            client.delete(
                    Kind.of(CustomResourceDefinition.class),
                    ObjectKey.ofName("gadgets." + group),
                    DeletionOptions.defaults());
            defined = false;
            objects.clear();
        }

        private void write() {
            String name = "g" + random.nextInt(4);
            if (!defined) {
                return;
            }
            if (objects.remove(name)) {
                client.delete(kind, ObjectKey.of("default", name), DeletionOptions.defaults());
                return;
            }
            GenericKubernetesResource gadget = new GenericKubernetesResource();
            gadget.setApiVersion(kind.name().apiVersion());
            gadget.setKind("Gadget");
            gadget.setMetadata(new ObjectMetaBuilder()
                    .withNamespace("default")
                    .withName(name)
                    .build());
            client.create(gadget);
            objects.add(name);
        }

        private void subscribe() {
            View view = new View();
            view.subscription =
                    cache.optionalInformer(kind.metadata()).subscribe("random-" + group + "-" + subscribed, view);
            views.put(subscribed++, view);
        }

        private void unsubscribe() {
            if (views.size() > 1) {
                View view = views.remove(views.keySet().iterator().next());
                view.subscription.close();
            }
        }

        /** The cache, the subscriptions and the threads get to what the server has. */
        private void settle() {
            until("synced after " + steps, () -> cache.optionalInformer(kind).hasSynced());
            until("objects in the cache after " + steps, () -> names().equals(objects));
            until(
                    "events after " + steps,
                    () -> views.values().stream()
                            .allMatch(view -> view.names.equals(objects)
                                    && view.subscription.hasDeliveredInitial()
                                    && view.subscription.isAlive()));
            if (!defined) {
                until(
                        "no watch after " + steps,
                        () -> cache.kinds().isEmpty()
                                && LiveThreads.named("reflector-gadgets." + group)
                                        .isEmpty());
            }
        }

        private Set<String> names() {
            Set<String> names = new TreeSet<>();
            cache.list(kind, Selection.all())
                    .forEach(gadget -> names.add(gadget.getMetadata().getName()));
            return names;
        }

        @Override
        public void close() {
            cache.close();
        }
    }
}
