package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Threads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Drawn work of a reconciler: writes of all forms, on its own thread and on others, with its account and with others. What is written with
 * an account is in the {@link #namespace} of the account, so each request shows whose it has to be. Confined to the threads of a
 * reconciliation, one at a time; the counts are shared.
 */
final class DrawnWork {

    /** The service accounts, without one first. */
    static final List<String> ACCOUNTS = List.of("", "team-a/writer", "team-b/writer", "team-a/other.v1");

    private static final int MAX_DEPTH = 3;
    private static final Map<String, Object> LABELS = Map.of("metadata", Map.of("labels", Map.of("seen", "yes")));
    private static final Map<String, Object> STATUS = Map.of("status", Map.of("observedGeneration", 1));
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static final Map<String, Form> FORMS = forms();

    /** How often each form of a write was drawn. */
    private final Map<String, Integer> counts;

    private final Manager manager;
    private final ObjectSets sets;
    private final Runnable fromOutside;
    private final Random random;
    private volatile Client client;

    /**
     * Create it for one reconciliation.
     *
     * @param outside what {@link #outside} returned
     */
    DrawnWork(Manager manager, Runnable outside, Map<String, Integer> counts, long seed) {
        this.manager = manager;
        this.sets = ObjectSets.create(manager.client());
        this.fromOutside = outside;
        this.counts = counts;
        this.random = new Random(seed);
        this.client = manager.client();
    }

    /** A way to write in a namespace. */
    private interface Form extends BiConsumer<DrawnWork, String> {}

    /** Return a write that belongs to no controller, whatever thread runs it. To be called outside of controllers. */
    static Runnable outside(Client client) {
        return WorkScope.inherit(() -> client.create(secret(namespace(""), next())));
    }

    /** Return the names of the forms of a write, each drawn never. */
    static Map<String, Integer> noCounts() {
        Map<String, Integer> none = new ConcurrentHashMap<>();
        FORMS.keySet().forEach(name -> none.put(name, 0));
        return none;
    }

    /** Return the namespace in which an account writes. */
    static String namespace(String account) {
        return "written-" + ACCOUNTS.indexOf(account);
    }

    /** Work with the account of the thread. */
    void run(String account) {
        run(account, MAX_DEPTH);
    }

    private void run(String account, int depth) {
        int steps = 1 + random.nextInt(4);
        for (int i = 0; i < steps; i++) {
            int choice = random.nextInt(10);
            if (depth == 0 || choice < 5) {
                write(account);
            } else {
                nested(account, depth - 1, choice);
            }
        }
    }

    private void write(String account) {
        List<String> names = FORMS.keySet().stream().sorted().toList();
        String name = names.get(random.nextInt(names.size()));
        counts.merge(name, 1, Integer::sum);
        client = switch (random.nextInt(5)) {
            case 0 -> manager.client().withFieldManager("other");
            case 1 -> manager.client().inNamespace(namespace(account));
            case 2 -> manager.client().intercepted((call, next) -> next.proceed(call));
            default -> manager.client();
        };
        FORMS.get(name).accept(this, namespace(account));
    }

    private void nested(String account, int depth, int choice) {
        String other = ACCOUNTS.get(random.nextInt(ACCOUNTS.size()));
        Runnable same = () -> run(account, depth);
        switch (choice) {
            case 5 ->
                WorkScope.withServiceAccount(other, () -> run(other, depth)).run();
            case 6 -> elsewhere(WorkScope.inherit(same));
            case 7 -> elsewhere(WriteScope.inherit(WorkScope.in("nested", "nested", same)));
            case 8 -> elsewhere(() -> run("", depth));
            default -> {
                fromOutside.run();
                WorkScope.inCluster("", failing(same)).run();
            }
        }
    }

    /** What is restored after work is restored if it fails, too. */
    private Runnable failing(Runnable task) {
        return () -> {
            try {
                WorkScope.withServiceAccount(ACCOUNTS.get(1), () -> {
                            throw new IllegalStateException("drawn");
                        })
                        .run();
            } catch (IllegalStateException e) {
                task.run();
            }
        };
    }

    private void elsewhere(Runnable task) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Runnable completing = () -> {
            try {
                task.run();
                end.complete(null);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        };
        Threads.create("drawn", completing, Threads.hasVirtual() && random.nextBoolean())
                .start();
        end.join();
    }

    private static Map<String, Form> forms() {
        Map<String, Form> forms = new HashMap<>();
        forms.put("create", DrawnWork::created);
        forms.put("dry run", (work, namespace) -> work.client.dryRun().create(secret(namespace, next())));
        forms.put("update", (work, namespace) -> work.client.update(labeled(work.created(namespace))));
        forms.put(
                "patch",
                (work, namespace) -> work.client.patch(work.created(namespace), ObjectPatch.strategic(LABELS)));
        forms.put("apply", (work, namespace) -> work.client.apply(secret(namespace, next())));
        forms.put(
                "unconditional apply",
                (work, namespace) ->
                        work.client.applyUnconditionally(secret(namespace, next()), ApplyOptions.defaults()));
        forms.put("edit", (work, namespace) -> work.client.edit(work.created(namespace), DrawnWork::labeled));
        forms.put(
                "edit with status",
                (work, namespace) -> work.client.editWithStatus(work.deployment(namespace), changed -> {
                    labeled(changed);
                    changed.setStatus(new DeploymentStatusBuilder()
                            .withObservedGeneration(7L)
                            .build());
                }));
        forms.put(
                "create or update",
                (work, namespace) -> work.client.createOrUpdate(secret(namespace, next()), DrawnWork::labeled));
        forms.put(
                "create or patch",
                (work, namespace) -> work.client.createOrPatch(work.created(namespace), DrawnWork::labeled));
        putOthers(forms);
        return forms;
    }

    private static void putOthers(Map<String, Form> forms) {
        forms.put(
                "retry on conflict",
                (work, namespace) -> work.client.retryOnConflict(
                        Secret.class,
                        ObjectKey.of(work.created(namespace)),
                        secret -> work.client.update(labeled(secret))));
        forms.put(
                "status",
                (work, namespace) -> work.client.status().patch(work.deployment(namespace), ObjectPatch.merge(STATUS)));
        forms.put("scale", (work, namespace) -> work.client.scale().set(work.deployment(namespace), 3));
        forms.put("delete", (work, namespace) -> work.client.delete(work.created(namespace)));
        forms.put(
                "delete all",
                (work, namespace) -> work.client.deleteAll(
                        Kind.of(Secret.class),
                        Selection.inNamespace(namespace)
                                .withLabelSelector("app="
                                        + work.created(namespace).getMetadata().getName()),
                        DeletionOptions.defaults()));
        forms.put(
                "event",
                (work, namespace) -> work.manager.recorder().normal(secret(namespace, next()), "Drawn", "Draw", "it"));
        forms.put("object set", DrawnWork::objectSet);
    }

    /** Reconciles a set with two children and then with one, and deletes it, perhaps. */
    private void objectSet(String namespace) {
        ConfigMap owner = client.live().get(ConfigMap.class, namespace, "owner").orElseThrow();
        String name = next();
        ObjectSet set = ObjectSet.ownedBy(owner).named(name).apply(child(name + "-a"));
        sets.reconcile(set.then(more -> more.apply(child(name + "-b"))));
        sets.reconcile(set.prunes(Kind.of(Secret.class)));
        if (random.nextBoolean()) {
            sets.delete(set);
        }
    }

    private static Secret child(String name) {
        return new SecretBuilder().withMetadata(named("", name)).build();
    }

    private Secret created(String namespace) {
        return client.create(secret(namespace, next()), WriteOptions.defaults().withFieldManager("first"));
    }

    private Deployment deployment(String namespace) {
        Deployment deployment = ObjectSetFixture.deployment(next());
        deployment.getMetadata().setNamespace(namespace);
        return client.create(deployment);
    }

    private static String next() {
        return "drawn-" + NUMBER.incrementAndGet();
    }

    private static Secret secret(String namespace, String name) {
        return new SecretBuilder()
                .withMetadata(named(namespace, name))
                .addToStringData("user", name)
                .build();
    }

    private static ObjectMeta named(String namespace, String name) {
        return new ObjectMetaBuilder()
                .withNamespace(namespace.isEmpty() ? null : namespace)
                .withName(name)
                .addToLabels("app", name)
                .build();
    }

    private static <T extends HasMetadata> T labeled(T object) {
        object.getMetadata().getLabels().put("seen", "yes");
        return object;
    }
}
