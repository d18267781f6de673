package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** What someone does to a definition or its objects while an operator installs and migrates it. */
enum MigrationEdit {
    /** As a StorageVersionMigration does that has failed. */
    TRIM_STORED_VERSIONS {
        @Override
        void apply(MigrationHistory history) {
            definition(history.admin(), history.name())
                    .subresource("status")
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"status\": {\"storedVersions\": [\"" + DefinitionState.storageVersion(live(history))
                                    + "\"]}}");
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
            merge(
                    history,
                    "{\"metadata\": {\"annotations\": {\"touched\": \""
                            + history.random().nextInt() + "\"}}}");
        }
    },
    FORGET_OPERATOR {
        @Override
        void apply(MigrationHistory history) {
            merge(
                    history,
                    "{\"metadata\": {\"annotations\": {\"" + CrdInstaller.DIGEST_ANNOTATION + "\": null, \""
                            + CrdInstaller.VERSION_ANNOTATION + "\": null}}}");
        }
    },
    DELETE_DEFINITION {
        @Override
        void apply(MigrationHistory history) {
            history.definitionDeleted();
            definition(history.admin(), history.name()).delete();
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
            for (String name : history.objects()) {
                object(history, name)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\": {\"labels\": {\"l\": \""
                                        + history.random().nextInt(9) + "\"}}}");
                history.world().written(name);
                return;
            }
        }
    },
    DELETE_OBJECT {
        @Override
        void apply(MigrationHistory history) {
            for (String name : history.objects()) {
                object(history, name).delete();
                history.deleted(name);
                return;
            }
        }
    };

    abstract void apply(MigrationHistory history);

    static MigrationEdit draw(Random random) {
        MigrationEdit drawn = values()[random.nextInt(values().length)];
        return drawn == DELETE_DEFINITION && random.nextInt(3) > 0 ? TRIM_STORED_VERSIONS : drawn;
    }

    static Resource<CustomResourceDefinition> definition(KubernetesClient admin, String name) {
        return admin.resources(CustomResourceDefinition.class).withName(name);
    }

    private static CustomResourceDefinition live(MigrationHistory history) {
        CustomResourceDefinition live =
                definition(history.admin(), history.name()).get();
        if (live == null) {
            throw new IllegalStateException("the definition is gone");
        }
        return live;
    }

    private static void merge(MigrationHistory history, String patch) {
        definition(history.admin(), history.name()).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private static void editVersions(MigrationHistory history, Consumer<List<CustomResourceDefinitionVersion>> change) {
        CustomResourceDefinition live = live(history);
        change.accept(live.getSpec().getVersions());
        live.getMetadata().setManagedFields(null);
        history.admin().resource(live).update();
    }

    /** Create an object in the version that is stored, or another one that is served. */
    static void create(MigrationHistory history, String name, boolean bad) {
        String version = DefinitionState.servedVersion(live(history));
        GenericKubernetesResource object = new GenericKubernetesResourceBuilder()
                .withApiVersion(history.group() + "/" + version)
                .withKind("Widget")
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withAdditionalProperties(Map.of("spec", bad ? Map.of("bad", true) : Map.of("a", "x")))
                .build();
        history.admin().resource(object).create();
        history.created(name);
    }

    private static Resource<GenericKubernetesResource> object(MigrationHistory history, String name) {
        String version = DefinitionState.servedVersion(live(history));
        return history.admin()
                .genericKubernetesResources(history.group() + "/" + version, "Widget")
                .inNamespace("default")
                .withName(name);
    }
}
