package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.request.LoggedRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Controllers with accounts and without, whose reconcilers and cleaners do {@link DrawnWork drawn work}: each write, that of a finalizer
 * and an event, too, is sent with the account of the work it belongs to, and each read with that of the operator. More:
 * {@code -Daccounts.cases=500}; {@code -Daccounts.seed=7 -Daccounts.cases=1} repeats one.
 */
@Timeout(3600)
class AccountsRandomTests {

    private static final int CASES = Integer.getInteger("accounts.cases", 10);
    private static final long SEED = Long.getLong("accounts.seed", 1);
    private static final int CONTROLLERS = 5;
    private static final int OBJECTS = 3;
    private static final String OPERATOR = "operator";
    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    private final Map<String, Integer> counts = DrawnWork.noCounts();

    @Test
    void requestsHaveTheAccountOfTheWork() {
        for (long seed = SEED; seed < SEED + CASES; seed++) {
            try (Case one = new Case(seed)) {
                one.run();
            }
        }
        if (CASES >= 10) {
            assertThat(counts).doesNotContainValue(0);
        }
    }

    private final class Case implements AutoCloseable {

        private final long seed;
        private final Random random;
        private final KubernetesServer server = KubernetesServer.builder()
                .https(false)
                .garbageCollection(false)
                .requestLogSize(100_000)
                .start();
        private final ApiConnection admin = ApiConnection.open(server.clientConfig());
        private final Client client = Client.create(admin, Scheme.create(), ClientOptions.defaults());
        private final Manager manager;
        private final Runnable outside;
        private final Set<String> reconciled = ConcurrentHashMap.newKeySet();
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

        Case(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            manager = Manager.create(
                    server.clientConfig(server.addUser(OPERATOR)),
                    ManagerOptions.defaults().withName("accounts"));
            outside = DrawnWork.outside(manager.client());
        }

        void run() {
            for (String account : DrawnWork.ACCOUNTS) {
                String namespace = DrawnWork.namespace(account);
                client.create(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build());
                client.create(map(namespace, "owner", "none"));
            }
            Map<String, String> accounts = new TreeMap<>();
            for (int i = 0; i < CONTROLLERS; i++) {
                String account = DrawnWork.ACCOUNTS.get(random.nextInt(DrawnWork.ACCOUNTS.size()));
                accounts.put("c" + i, account);
                add("c" + i, account, random.nextLong());
            }
            manager.start();
            accounts.forEach((controller, account) -> {
                for (int i = 0; i < OBJECTS; i++) {
                    client.create(map(DrawnWork.namespace(account), controller + "-" + i, controller));
                }
            });
            await("each object is reconciled")
                    .atMost(TIME_LIMIT)
                    .until(() -> reconciled.size() == CONTROLLERS * OBJECTS);
            accounts.forEach((controller, account) -> {
                for (int i = 0; i < OBJECTS; i++) {
                    client.delete(map(DrawnWork.namespace(account), controller + "-" + i, controller));
                }
            });
            await("each object is gone")
                    .atMost(TIME_LIMIT)
                    .until(() -> client.list(ConfigMap.class).size() == DrawnWork.ACCOUNTS.size());
            manager.close();
            check();
        }

        private void add(String name, String account, long controllerSeed) {
            ControllerBuilder.of(ConfigMap.class)
                    .named(name)
                    .withLabelSelector("controller=" + name)
                    .finalizer("accounts.example.com/" + name)
                    .customizeOptions(options -> options.withServiceAccount(account)
                            .withMaxConcurrentReconciles(1 + (int) (controllerSeed & 1))
                            .withVirtualThreads((controllerSeed & 2) == 0))
                    .reconciler((object, context) -> {
                        work(controllerSeed + context.attempt(), account);
                        if (context.attempt() == 1 && (controllerSeed & 4) == 0) {
                            throw new IllegalStateException("drawn");
                        }
                        reconciled.add(context.request().name());
                        return Result.done();
                    })
                    .cleaner((object, context) -> {
                        work(controllerSeed - 1, account);
                        return CleanupResult.done();
                    })
                    .addTo(manager);
        }

        private void work(long workSeed, String account) {
            try {
                new DrawnWork(manager, outside, counts, workSeed).run(account);
            } catch (RuntimeException | Error e) {
                failures.add(e);
                throw e;
            }
        }

        private void check() {
            assertThat(failures).as("seed %s", seed).isEmpty();
            Map<String, String> users = new TreeMap<>();
            DrawnWork.ACCOUNTS.forEach(account -> users.put(
                    DrawnWork.namespace(account),
                    account.isEmpty() ? OPERATOR : "system:serviceaccount:" + account.replace('/', ':')));
            List<LoggedRequest> requests = server.requests().all().stream()
                    .filter(logged -> !logged.request().user().equals("admin"))
                    .filter(logged -> !logged.request().resource().equals("selfsubjectaccessreviews"))
                    .toList();
            assertThat(requests)
                    .as("seed %s", seed)
                    .filteredOn(logged -> logged.request().isWrite())
                    .hasSizeGreaterThan(3 * CONTROLLERS * OBJECTS)
                    .allSatisfy(logged -> assertThat(logged.request().user())
                            .as("%s", logged)
                            .isEqualTo(users.get(logged.request().namespace())));
            assertThat(requests)
                    .as("seed %s", seed)
                    .filteredOn(logged -> !logged.request().isWrite())
                    .isNotEmpty()
                    .allSatisfy(logged ->
                            assertThat(logged.request().user()).as("%s", logged).isEqualTo(OPERATOR));
        }

        private static ConfigMap map(String namespace, String name, String controller) {
            return new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName(name)
                    .addToLabels("controller", controller)
                    .endMetadata()
                    .build();
        }

        @Override
        public void close() {
            manager.close();
            admin.close();
            server.close();
        }
    }
}
