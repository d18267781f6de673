package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersionBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** What someone does to a definition or its objects while an operator installs and migrates it. */
enum MigrationEdit {
    /** As a StorageVersionMigration does that has failed. */
    TRIM_STORED_VERSIONS {
        @Override
        void apply(MigrationHistory history) {
            CustomResourceDefinition live = live(history);
            history.admin()
                    .status()
                    .patch(
                            live,
                            merge("status", Map.of("storedVersions", List.of(DefinitionState.storageVersion(live)))));
        }
    },
    UNSERVE {
        @Override
        void apply(MigrationHistory history) {
            editVersions(history, versions -> versions.forEach(version -> version.setServed(false)));
        }
    },
    SERVE_ALL {
        @Override
        void apply(MigrationHistory history) {
            editVersions(history, versions -> versions.forEach(version -> version.setServed(true)));
        }
    },
    STORE_ANOTHER_VERSION {
        @Override
        void apply(MigrationHistory history) {
            editVersions(history, versions -> {
                CustomResourceDefinitionVersion chosen =
                        versions.get(history.random().nextInt(versions.size()));
                versions.forEach(version -> version.setStorage(version == chosen));
            });
        }
    },
    /** As a rollback of the operator does that is rolled back itself, after which a StorageVersionMigration fails. */
    STORE_ANOTHER_VERSION_FOR_A_WHILE {
        @Override
        void apply(MigrationHistory history) {
            List<CustomResourceDefinitionVersion> before =
                    live(history).getSpec().getVersions();
            STORE_ANOTHER_VERSION.apply(history);
            UPDATE_OBJECT.apply(history);
            editVersions(history, versions -> {
                versions.clear();
                versions.addAll(before);
            });
            TRIM_STORED_VERSIONS.apply(history);
        }
    },
    ADD_VERSION {
        @Override
        void apply(MigrationHistory history) {
            editVersions(
                    history,
                    versions -> versions.add(new CustomResourceDefinitionVersionBuilder(versions.get(0))
                            .withName("v9")
                            .withServed(true)
                            .withStorage(false)
                            .build()));
        }
    },
    TOUCH {
        @Override
        void apply(MigrationHistory history) {
            annotate(
                    history, Map.of("touched", Integer.toString(history.random().nextInt())));
        }
    },
    FORGET_OPERATOR {
        @Override
        void apply(MigrationHistory history) {
            Map<String, Object> annotations = new HashMap<>();
            annotations.put(CrdInstaller.DIGEST_ANNOTATION, null);
            annotations.put(CrdInstaller.VERSION_ANNOTATION, null);
            annotate(history, annotations);
        }
    },
    DELETE_DEFINITION {
        @Override
        void apply(MigrationHistory history) {
            history.definitionDeleted();
            delete(history.admin(), history.name());
        }
    },
    CREATE_OBJECT {
        @Override
        void apply(MigrationHistory history) {
            create(history, "created-" + history.random().nextInt(1000), false);
        }
    },
    UPDATE_OBJECT {
        @Override
        void apply(MigrationHistory history) {
            List<String> names = new ArrayList<>(history.objects());
            if (!names.isEmpty()) {
                String name = names.get(history.random().nextInt(names.size()));
                String label = Integer.toString(history.random().nextInt(9));
                history.admin()
                        .patch(
                                kind(history),
                                ObjectKey.of("default", name),
                                merge("metadata", Map.of("labels", Map.of("l", label))),
                                WriteOptions.defaults());
            }
        }
    },
    DELETE_OBJECT {
        @Override
        void apply(MigrationHistory history) {
            for (String name : history.objects()) {
                history.admin().delete(kind(history), ObjectKey.of("default", name), DeletionOptions.defaults());
                history.deleted(name);
                return;
            }
        }
    };

    abstract void apply(MigrationHistory history);

    static MigrationEdit draw(Random random) {
        MigrationEdit drawn = values()[random.nextInt(values().length)];
        return drawn == DELETE_DEFINITION && random.nextInt(3) > 0 ? STORE_ANOTHER_VERSION_FOR_A_WHILE : drawn;
    }

    static Optional<CustomResourceDefinition> definition(Client admin, String name) {
        return admin.live().get(CustomResourceDefinition.class, ObjectKey.ofName(name));
    }

    static void delete(Client admin, String definition) {
        admin.delete(Kind.of(CustomResourceDefinition.class), ObjectKey.ofName(definition), DeletionOptions.defaults());
    }

    private static CustomResourceDefinition live(MigrationHistory history) {
        return definition(history.admin(), history.name())
                .orElseThrow(() -> new IllegalStateException("the definition is gone"));
    }

    private static ObjectPatch merge(String field, Object value) {
        return ObjectPatch.merge(Map.of(field, value));
    }

    private static void annotate(MigrationHistory history, Map<String, ?> annotations) {
        history.admin()
                .patch(
                        Kind.of(CustomResourceDefinition.class),
                        ObjectKey.ofName(history.name()),
                        merge("metadata", Map.of("annotations", annotations)),
                        WriteOptions.defaults());
    }

    private static void editVersions(MigrationHistory history, Consumer<List<CustomResourceDefinitionVersion>> change) {
        CustomResourceDefinition live = live(history);
        change.accept(live.getSpec().getVersions());
        history.admin().update(live);
    }

    /** Create an object in the version that is stored, or another one that is served. */
    static void create(MigrationHistory history, String name, boolean bad) {
        GenericKubernetesResource object = new GenericKubernetesResourceBuilder()
                .withApiVersion(kind(history).apiVersion())
                .withKind("Widget")
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withAdditionalProperties(Map.of("spec", bad ? Map.of("bad", true) : Map.of("a", "x")))
                .build();
        history.admin().create(object);
        history.created(name);
    }

    /** The kind in a version that is served. */
    private static Kind<GenericKubernetesResource> kind(MigrationHistory history) {
        String version = DefinitionState.servedVersion(live(history));
        if (version.isEmpty()) {
            throw new IllegalStateException("no version is served");
        }
        return Kind.of(history.group() + "/" + version, "Widget");
    }
}
