package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.github.reconciler4j.objectset.LateReader.Place;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A random set that changes from reconciliation to reconciliation, and what the rules of sets say of it. Not thread-safe. */
final class RandomGraph {

    static final List<String> KINDS = List.of("Secret", "ServiceAccount", "ConfigMap", "ClusterRole");
    static final String SLOW = "example.com/slow";
    private static final int MAX_NODES = 20;

    /** A third of the graphs have as many nodes as possible; among the others, small ones are as likely as large ones. */
    private final int maxNodes;

    private final Random random;
    private final String namespace;
    private final String otherNamespace;
    private final Chain root;
    private int nodes;
    final Set<String> notReady = new HashSet<>();

    RandomGraph(Random random, String namespace, String otherNamespace) {
        this.random = random;
        this.namespace = namespace;
        this.otherNamespace = otherNamespace;
        boolean large = random.nextInt(3) == 0;
        this.maxNodes = large ? MAX_NODES : 3 + random.nextInt(MAX_NODES - 2);
        this.root = new Chain(1 + random.nextInt(3), 0);
        while (large && nodes < MAX_NODES) {
            root.addStep(0);
        }
    }

    /** A sequence of steps. */
    final class Chain {
        final List<List<Node>> steps = new ArrayList<>();

        Chain(int count, int depth) {
            for (int i = 0; i < count; i++) {
                addStep(depth);
            }
        }

        void addStep(int depth) {
            List<Node> step = new ArrayList<>();
            int size = 1 + random.nextInt(3);
            for (int j = 0; j < size && nodes < maxNodes; j++) {
                step.add(new Node(depth));
            }
            steps.add(step);
        }
    }

    /** Objects of a kind, or a chain under a condition. */
    final class Node {
        final String kind = KINDS.get(random.nextInt(KINDS.size()));
        final boolean foreignNamespace = kind.equals("Secret") && random.nextInt(6) == 0;
        final int number = nodes++;
        final boolean many = random.nextInt(3) == 0;
        final boolean untilReady = random.nextInt(3) == 0;
        final boolean slow = random.nextInt(8) == 0;
        final Chain chain;
        boolean active = true;
        boolean removed;
        int count = 1;
        int version;

        Node(int depth) {
            chain = depth < 2 && random.nextInt(4) == 0 ? new Chain(1 + random.nextInt(2), depth + 1) : null;
        }

        List<Place> places() {
            List<Place> all = new ArrayList<>();
            for (int i = 0; chain == null && i < (many ? count : 1); i++) {
                all.add(place(i));
            }
            return all;
        }

        Place place(int index) {
            String in = kind.equals("ClusterRole") ? "" : foreignNamespace ? otherNamespace : namespace;
            return new Place(
                    kind, new ObjectKey(in, "n" + number + "-" + index + (in.isEmpty() ? "-" + namespace : "")));
        }
    }

    /** Change some parts of the set, as another generation of the owner or version of the operator does. */
    void change() {
        all(root, node -> {
            node.active = random.nextInt(4) != 0;
            node.count = random.nextInt(4);
            node.removed |= random.nextInt(12) == 0;
            node.version += random.nextInt(3) == 0 ? 1 : 0;
            if (node.chain == null) {
                String name = node.place(0).key().name();
                notReady.remove(name);
                if (random.nextInt(3) == 0) {
                    notReady.add(name);
                }
            }
        });
    }

    /** Let the next version of the operator create no objects of one of the kinds that the set wants; return which, if any. */
    String giveUpKind() {
        List<String> kinds = desired().keySet().stream().map(Place::kind).toList();
        String givenUp = kinds.isEmpty() ? "" : kinds.get(random.nextInt(kinds.size()));
        all(root, node -> node.removed |= node.chain == null && node.kind.equals(givenUp));
        return givenUp;
    }

    private static void all(Chain chain, Consumer<Node> action) {
        for (List<Node> step : chain.steps) {
            for (Node node : step) {
                action.accept(node);
                if (node.chain != null) {
                    all(node.chain, action);
                }
            }
        }
    }

    /** Return all places that the set ever has. */
    List<Place> places() {
        List<Place> all = new ArrayList<>();
        all(root, node -> {
            for (int i = 0; node.chain == null && i < 3; i++) {
                all.add(node.place(i));
            }
        });
        return all;
    }

    ObjectSet set(HasMetadata owner) {
        return build(ObjectSet.ownedBy(owner), root);
    }

    private ObjectSet build(ObjectSet empty, Chain chain) {
        ObjectSet set = empty;
        boolean first = true;
        for (List<Node> step : chain.steps) {
            if (first) {
                set = add(set, step);
            } else {
                set = set.then(nested -> add(nested, step));
            }
            first = false;
        }
        return set;
    }

    private ObjectSet add(ObjectSet before, List<Node> step) {
        ObjectSet set = before;
        for (Node node : step) {
            if (node.removed) {
                continue;
            }
            if (node.chain != null) {
                set = set.when(node.active, nested -> build(nested, node.chain));
            } else {
                List<HasMetadata> objects =
                        node.places().stream().map(place -> object(place, node)).toList();
                set = node.many ? addAll(set, node.kind, objects) : set.apply(objects.get(0));
                set = node.untilReady ? set.untilReady(readiness()) : set;
            }
        }
        return set;
    }

    private Readiness readiness() {
        return Readiness.of(
                HasMetadata.class,
                object -> !notReady.contains(object.getMetadata().getName()),
                "the test");
    }

    @SuppressWarnings("unchecked") // the objects are of the kind
    private static ObjectSet addAll(ObjectSet set, String kind, List<? extends HasMetadata> objects) {
        return set.applyAll((Kind<HasMetadata>) kind(kind), objects);
    }

    static Kind<? extends HasMetadata> kind(String kind) {
        return switch (kind) {
            case "Secret" -> Kind.of(Secret.class);
            case "ServiceAccount" -> Kind.of(ServiceAccount.class);
            case "ConfigMap" -> Kind.of(ConfigMap.class);
            default -> Kind.of(ClusterRole.class);
        };
    }

    private HasMetadata object(Place place, Node node) {
        HasMetadata object = empty(place);
        object.getMetadata().setLabels(Map.of("version", "v" + node.version));
        if (node.slow) {
            object.getMetadata().setFinalizers(List.of(SLOW));
        }
        return object;
    }

    static HasMetadata empty(Place place) {
        HasMetadata object = switch (place.kind()) {
            case "Secret" -> new SecretBuilder().withNewMetadata().endMetadata().build();
            case "ServiceAccount" ->
                new ServiceAccountBuilder().withNewMetadata().endMetadata().build();
            case "ConfigMap" ->
                new ConfigMapBuilder().withNewMetadata().endMetadata().build();
            default -> new ClusterRoleBuilder().withNewMetadata().endMetadata().build();
        };
        object.getMetadata().setName(place.key().name());
        object.getMetadata()
                .setNamespace(
                        place.key().namespace().isEmpty() ? null : place.key().namespace());
        return object;
    }

    /** Return what the set wants now, with the version of each object. */
    Map<Place, String> desired() {
        Map<Place, String> desired = new TreeMap<>();
        collect(root, node -> node.places().forEach(place -> desired.put(place, "v" + node.version)));
        return desired;
    }

    private static void collect(Chain chain, Consumer<Node> action) {
        for (List<Node> step : chain.steps) {
            for (Node node : step) {
                if (!node.removed && (node.chain == null || node.active)) {
                    action.accept(node);
                    if (node.chain != null) {
                        collect(node.chain, action);
                    }
                }
            }
        }
    }

    /** Return the places of steps whose turn has not come, given which objects are done; conditions that are not met included. */
    Set<Place> blocked(Predicate<Place> isDone) {
        Set<Place> blocked = new HashSet<>();
        isDone(root, isDone, blocked);
        return blocked;
    }

    private static boolean isDone(Chain chain, Predicate<Place> isDone, Set<Place> blocked) {
        boolean done = true;
        for (List<Node> step : chain.steps) {
            boolean turn = done;
            for (Node node : step) {
                if (node.removed) {
                    continue;
                }
                if (!turn) {
                    addAll(node, blocked);
                } else if (node.chain != null) {
                    done &= !node.active || isDone(node.chain, isDone, blocked);
                } else {
                    done &= node.places().stream().allMatch(isDone);
                }
            }
        }
        return done;
    }

    /** Objects of parts that the next version of the operator does not contain are no part of the promise. */
    private static void addAll(Node node, Set<Place> places) {
        if (node.removed) {
            return;
        }
        for (int i = 0; node.chain == null && i < 3; i++) {
            places.add(node.place(i));
        }
        if (node.chain != null) {
            node.chain.steps.forEach(step -> step.forEach(inner -> addAll(inner, places)));
        }
    }

    /** Return the places that a deletion has to remove before the given one. */
    Set<Place> before(Place place) {
        Set<Place> later = new HashSet<>();
        before(root, place, later);
        return later;
    }

    private static boolean before(Chain chain, Place place, Set<Place> later) {
        boolean found = false;
        for (List<Node> step : chain.steps) {
            if (found) {
                for (Node node : step) {
                    if (!node.removed && node.chain == null) {
                        later.addAll(node.places());
                    } else if (!node.removed && node.active) {
                        collect(node.chain, inner -> later.addAll(inner.places()));
                    }
                }
                continue;
            }
            for (Node node : step) {
                if (node.removed) {
                    continue;
                }
                found |= node.chain == null
                        ? node.places().contains(place)
                        : node.active && before(node.chain, place, later);
            }
        }
        return found;
    }
}
