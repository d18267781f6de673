package io.github.reconciler4j.controllers.deletion;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.controllers.deletion.Things.Link;
import io.github.reconciler4j.controllers.deletion.Things.Thing;
import io.github.reconciler4j.support.KubernetesJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Owners, dependents and namespaces that come and go, by chance, in the same order on both clusters. */
final class DeletionHistory {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(Integer.getInteger("histories.limit", 180));
    private static final Duration QUIET = Duration.ofSeconds(3);
    /** A look reads all kinds of both clusters. More looks would take the time of the controllers. */
    private static final Duration LOOK = Duration.ofMillis(600);
    /** The time after which Kubernetes' own garbage collector knows a new kind for certain. */
    private static final Duration DISCOVERED = Duration.ofSeconds(40);

    private static final String HOLD = "example.com/hold";
    private static final int NAMES = 6;

    private final DeletionClusters clusters;
    private final long seed;
    private final Random random;
    private final String namespace;
    private final String other;
    private final String group;
    private final Thing controller;
    private final List<String> played = new ArrayList<>();
    private final List<Thing> things = new ArrayList<>();
    private Instant kindCreated = Instant.EPOCH;

    DeletionHistory(DeletionClusters clusters, long seed) {
        this.clusters = clusters;
        this.seed = seed;
        this.random = new Random(seed);
        this.namespace = "h" + seed;
        this.other = "h" + seed + "-other";
        this.group = "h" + seed + ".example.com";
        this.controller = new Thing("v1", "ReplicationController", "replicationcontrollers", namespace, "rc");
        for (int i = 0; i < NAMES; i++) {
            things.add(new Thing("v1", "ConfigMap", "configmaps", namespace, "m" + i));
        }
        things.add(new Thing("v1", "ConfigMap", "configmaps", other, "far"));
        things.add(controller);
        things.add(new Thing("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", "", namespace + "-role"));
    }

    int play(int steps) throws InterruptedException {
        step("create namespaces", client -> {
            Things.createNamespace(client, namespace);
            Things.createNamespace(client, other);
        });
        for (int i = 0; i < steps; i++) {
            if (i == steps / 3) {
                createKind();
            }
            next();
            settle();
        }
        deleteKind();
        deleteNamespace();
        return played.size();
    }

    private void step(String name, Consumer<KubernetesClient> action) {
        played.add(name);
        clusters.both(action);
    }

    private Thing any() {
        return things.get(random.nextInt(things.size()));
    }

    private List<Link> links() {
        int count = random.nextInt(3);
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            links.add(new Link(any(), random.nextBoolean(), random.nextInt(12) == 0, random.nextInt(12) == 0));
        }
        return links;
    }

    private DeletionPropagation propagation() {
        return DeletionPropagation.values()[random.nextInt(DeletionPropagation.values().length)];
    }

    private void next() {
        Thing thing = any();
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> create(thing);
            case 4, 5, 6 -> {
                DeletionPropagation propagation = propagation();
                step("delete " + thing + " " + propagation, client -> Things.delete(client, thing, propagation));
            }
            case 7 -> changeOwners(thing);
            case 8 -> release(thing);
            case 9 -> family(thing);
            case 10 -> circle();
            case 11 -> createOrScaleController();
            case 12 -> {
                DeletionPropagation propagation = propagation();
                step("delete the controller " + propagation, client -> Things.delete(client, controller, propagation));
            }
            default -> deleteWhileCreating(thing);
        }
    }

    private void create(Thing thing) {
        List<Link> links = links();
        List<String> finalizers = random.nextInt(4) == 0 ? List.of(HOLD) : List.of();
        step(
                "create " + thing + " owned by " + links + " " + finalizers,
                client -> Things.create(client, thing, links, finalizers));
    }

    private void changeOwners(Thing thing) {
        List<Link> links = links();
        step("let " + thing + " be owned by " + links, client -> {
            List<OwnerReference> references = Things.references(client, links);
            Things.edit(client, thing, object -> {
                object.getMetadata().setOwnerReferences(references);
                return object;
            });
        });
    }

    private void release(Thing thing) {
        step(
                "release " + thing,
                client -> Things.edit(client, thing, object -> {
                    object.getMetadata()
                            .setFinalizers(without(object.getMetadata().getFinalizers()));
                    return object;
                }));
    }

    private void createOrScaleController() {
        int replicas = random.nextInt(4);
        step("create or scale the controller to " + replicas, client -> {
            Things.create(client, controller, List.<Link>of(), List.of());
            Things.edit(client, controller, object -> {
                object.setAdditionalProperty("spec", Things.spec(replicas));
                return object;
            });
        });
    }

    private static List<String> without(List<String> finalizers) {
        return finalizers.stream().filter(each -> !each.equals(HOLD)).toList();
    }

    /** An owner with children and grandchildren, which is deleted at once. */
    private void family(Thing owner) {
        DeletionPropagation propagation = propagation();
        boolean blocking = random.nextBoolean();
        List<Thing> family = Stream.of("child", "grandchild")
                .map(name -> map("family-" + played.size() + "-" + name))
                .toList();
        step("create a family of " + owner, client -> {
            Things.create(client, owner, List.<Link>of(), List.of());
            Things.create(client, family.get(0), List.of(new Link(owner, blocking, false, false)), List.of());
            Things.create(client, family.get(1), List.of(new Link(family.get(0), true, false, false)), List.of());
        });
        settle();
        step("delete the owner of a family " + propagation, client -> Things.delete(client, owner, propagation));
    }

    private void circle() {
        DeletionPropagation propagation =
                random.nextBoolean() ? DeletionPropagation.FOREGROUND : DeletionPropagation.BACKGROUND;
        Thing first = map("circle-" + played.size() + "-a");
        Thing second = map("circle-" + played.size() + "-b");
        step("create a circle and delete it " + propagation, client -> {
            Things.create(client, first, List.<Link>of(), List.of());
            Things.create(client, second, List.of(new Link(first, true, false, false)), List.of());
            List<OwnerReference> back = Things.references(client, List.of(new Link(second, true, false, false)));
            Things.edit(client, first, object -> {
                object.getMetadata().setOwnerReferences(back);
                return object;
            });
            Things.delete(client, first, propagation);
        });
    }

    private void deleteWhileCreating(Thing owner) {
        String prefix = "burst-" + played.size() + "-";
        step("create children of " + owner + " while it is deleted", client -> {
            Things.create(client, owner, List.<Link>of(), List.of());
            List<OwnerReference> references = Things.references(client, List.of(new Link(owner, true, false, false)));
            for (int i = 0; i < 10; i++) {
                if (i == 5) {
                    Things.delete(client, owner, DeletionPropagation.BACKGROUND);
                }
                Things.create(client, map(prefix + i), references, List.of(), null);
            }
        });
    }

    private Thing map(String name) {
        return new Thing("v1", "ConfigMap", "configmaps", namespace, name);
    }

    private void createKind() {
        CustomResourceDefinition definition =
                KubernetesJson.readYaml("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: parts.GROUP
                spec:
                  group: GROUP
                  scope: Namespaced
                  names: {plural: parts, singular: part, kind: Part}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
                """.replace("GROUP", group), CustomResourceDefinition.class);
        step("create the kind Part", client -> {
            client.resource(definition).create();
            await("the kind Part").atMost(TIME_LIMIT).until(() -> isServed(client));
        });
        kindCreated = Instant.now();
        for (int i = 0; i < NAMES; i++) {
            things.add(part(i));
        }
    }

    private Thing part(int number) {
        return new Thing(group + "/v1", "Part", "parts", namespace, "p" + number);
    }

    /** A new definition has no conditions, and its objects can be listed a moment after it is established. */
    private boolean isServed(KubernetesClient client) {
        try {
            return client.genericKubernetesResources(part(0).context()).list() != null;
        } catch (KubernetesClientException e) {
            if (e.getCode() == 404) {
                return false;
            }
            throw e;
        }
    }

    private void deleteKind() throws InterruptedException {
        Duration left = DISCOVERED.minus(Duration.between(kindCreated, Instant.now()));
        if (!left.isNegative()) {
            Thread.sleep(left.toMillis());
        }
        Thing owner = things.stream()
                .filter(each -> each.kind().equals("Part"))
                .findFirst()
                .orElseThrow();
        step("release all parts and create one with a child", client -> {
            things.stream()
                    .filter(each -> each.kind().equals("Part"))
                    .forEach(part -> Things.edit(client, part, object -> {
                        object.getMetadata()
                                .setFinalizers(without(object.getMetadata().getFinalizers()));
                        return object;
                    }));
            Things.create(client, owner, List.<Link>of(), List.of());
            Things.create(client, map("of-a-part"), List.of(new Link(owner, true, false, false)), List.of());
        });
        settle();
        step(
                "delete the kind Part",
                client -> client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("parts." + group)
                        .delete());
        settle();
    }

    private void deleteNamespace() throws InterruptedException {
        Thing held = map("held");
        step("delete the namespace", client -> {
            Things.create(client, held, List.<Link>of(), List.of(HOLD));
            client.namespaces().withName(namespace).delete();
            Things.create(client, map("late"), List.<Link>of(), List.of());
        });
        settle();
        step(
                "release what holds the namespace",
                client -> Stream.concat(things.stream(), Stream.of(held))
                        .forEach(thing -> Things.edit(client, thing, object -> {
                            object.getMetadata()
                                    .setFinalizers(without(object.getMetadata().getFinalizers()));
                            return object;
                        })));
        awaitEnd();
        step(
                "delete the other namespace",
                client -> client.namespaces().withName(other).delete());
        settle();
    }

    private void awaitEnd() throws InterruptedException {
        Instant start = Instant.now();
        while (clusters.ours().namespaces().withName(namespace).get() != null
                || clusters.upstream().namespaces().withName(namespace).get() != null) {
            if (Instant.now().isAfter(start.plus(TIME_LIMIT))) {
                throw new AssertionError(story() + "\nA namespace does not end:\nupstream "
                        + snapshot(clusters.upstream()) + "\nours " + snapshot(clusters.ours()));
            }
            Thread.sleep(300);
        }
    }

    private List<String> snapshot(KubernetesClient client) {
        return DeletionSnapshot.of(
                client,
                List.of(namespace, other),
                Stream.concat(things.stream(), Stream.of(new Thing(group + "/v1", "Part", "parts", namespace, "any")))
                        .map(thing -> new Thing(
                                thing.apiVersion(),
                                thing.kind(),
                                thing.plural(),
                                thing.namespace().isEmpty() ? "" : "any",
                                "any"))
                        .distinct()
                        .map(Thing::context)
                        .toList());
    }

    /** Wait until both clusters have been equal, and the same, for a while. */
    private void settle() {
        Instant start = Instant.now();
        List<String> last = List.of("nothing yet");
        Instant since = Instant.now();
        while (true) {
            List<String> upstream = snapshot(clusters.upstream());
            List<String> ours = snapshot(clusters.ours());
            Instant now = Instant.now();
            boolean equal = upstream.equals(ours);
            if (!equal || !ours.equals(last)) {
                since = now;
                last = equal ? ours : List.of("different");
            } else if (Duration.between(since, now).compareTo(QUIET) > 0) {
                return;
            }
            if (now.isAfter(start.plus(TIME_LIMIT))) {
                throw new AssertionError(story() + "\nonly upstream: "
                        + upstream.stream().filter(line -> !ours.contains(line)).toList() + "\nonly ours: "
                        + ours.stream().filter(line -> !upstream.contains(line)).toList());
            }
            try {
                Thread.sleep(LOOK.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    private String story() {
        return "History " + seed + ":\n  " + String.join("\n  ", played);
    }
}
