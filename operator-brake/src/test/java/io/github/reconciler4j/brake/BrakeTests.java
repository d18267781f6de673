package io.github.reconciler4j.brake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.github.reconciler4j.brake.BrakeOptions.Coverage;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What stops, what is no accident, and who releases it. */
class BrakeTests extends BrakeFixture {

    private static final int OBJECTS = 30;
    private static final int LIMIT = 15;

    @Test
    void deletionsStopAtTheLimitAndTheStopSurvivesARestart() {
        createAll(OBJECTS);

        assertThat(deleteUntilRefused(OBJECTS)).isEqualTo(LIMIT);
        assertThat(left()).isEqualTo(LIMIT);
        assertThat(brake().stops())
                .singleElement()
                .satisfies(stop -> assertThat(stop.persisted()).isTrue());

        restart(options());
        awaitCached(LIMIT);
        work(() -> assertThatExceptionOfType(BrakeException.class)
                .isThrownBy(() -> delete("map-" + LIMIT))
                .withMessageContaining("15 of 30 ConfigMap objects deleted in 60 s")
                .withMessageContaining("kubectl annotate lease web-brake -n default brake.reconciler4j.io/web-"));
        assertThat(manager.status().extension(BrakeStatus.class).orElseThrow().stops())
                .hasSize(1);
    }

    @Test
    void logNamesAStopOnceInEachProcess() {
        createAll(OBJECTS);
        try (CapturedLog log = CapturedLog.of(Brake.class.getName())) {
            deleteUntilRefused(OBJECTS);
            assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("(R4J-811)");

            restart(options());
            for (int i = 0; i < 3; i++) {
                work(() -> assertThatExceptionOfType(BrakeException.class).isThrownBy(() -> delete("map-" + LIMIT)));
            }
            assertThat(log.lines(Level.ERROR)).hasSize(2);
        }
    }

    @Test
    void metricsHaveTheNamesOfTheDocument() throws IOException {
        createAll(OBJECTS);
        deleteUntilRefused(OBJECTS);

        assertThat(metrics.gauge("reconciler4j_deletions_stopped{controller=web}"))
                .isEqualTo(1);
        assertThat(metrics.count("reconciler4j_deletions_refused_total{controller=web}"))
                .isEqualTo(1);
        String document = Files.readString(Path.of("../docs/metrics.md"));
        for (String name : List.of("reconciler4j_deletions_stopped", "reconciler4j_deletions_refused_total")) {
            assertThat(document).contains("| `" + name + "` |");
        }
    }

    @Test
    void removedAnnotationReleases() {
        createAll(OBJECTS);
        deleteUntilRefused(OBJECTS);
        new StopLease(connection, LEASE).write(CONTROLLER, null);

        restart(options());
        assertThatNoException().isThrownBy(() -> work(() -> delete("map-" + LIMIT)));
        assertThat(left()).isEqualTo(LIMIT - 1);
    }

    @Test
    void deletionOfManyCountsWhatItWouldDelete() {
        createAll(OBJECTS);
        Selection all = Selection.inNamespace(namespace).withLabelSelector("app=web");

        work(() -> assertThatExceptionOfType(BrakeException.class)
                .isThrownBy(
                        () -> manager.client().deleteAll(Kind.of(ConfigMap.class), all, DeletionOptions.defaults())));
        assertThat(left()).isEqualTo(OBJECTS);
    }

    @Test
    void threadsThatInheritTheWorkAreCounted() throws Exception {
        createAll(OBJECTS);
        List<Thread> threads = new ArrayList<>();
        work(() -> {
            for (int each = 0; each < OBJECTS; each++) {
                String name = "map-" + each;
                threads.add(new Thread(WorkScope.inherit(() -> {
                    try {
                        delete(name);
                    } catch (BrakeException e) {
                        // counted below
                    }
                })));
            }
        });
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(left()).isEqualTo(LIMIT);
    }

    @Test
    void newClaimDoesNotReplaceADeletedOne() {
        ConfigMap owner = create("owner");
        work(() -> {
            for (int each = 0; each < 10; each++) {
                user.create(claim("claim-" + each, owner));
                deleteClaim("claim-" + each);
                manager.client().create(claim("new-" + each, owner));
            }
            assertThatExceptionOfType(BrakeException.class).isThrownBy(() -> deleteClaim("new-0"));
        });
    }

    private void deleteClaim(String name) {
        manager.client()
                .delete(
                        Kind.of(PersistentVolumeClaim.class),
                        ObjectKey.of(namespace, name),
                        DeletionOptions.defaults());
    }

    private PersistentVolumeClaim claim(String name, ConfigMap owner) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withOwnerReferences(reference(owner))
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .withRequests(Map.of("storage", new Quantity("1Gi")))
                .endResources()
                .endSpec()
                .build();
    }

    /** Ways to delete many objects that are no accident. */
    enum Calm {
        OWNERS_DELETED_TOGETHER {
            @Override
            void run(BrakeTests test) {
                for (int each = 0; each < OBJECTS; each++) {
                    ConfigMap owner = test.user.create(test.map("owner-" + each)
                            .editMetadata()
                            .withFinalizers("example.com/it")
                            .endMetadata()
                            .build());
                    test.createChild(test.user, "map-" + each, owner);
                }
                for (int each = 0; each < OBJECTS; each++) {
                    test.user.delete(
                            Kind.of(ConfigMap.class),
                            ObjectKey.of(test.namespace, "owner-" + each),
                            DeletionOptions.defaults());
                }
                test.deleteAll();
            }
        },
        OWNERS_GONE {
            @Override
            void run(BrakeTests test) {
                for (int each = 0; each < OBJECTS; each++) {
                    ConfigMap owner = test.create("owner-" + each);
                    test.createChild(test.user, "map-" + each, owner);
                    test.user.delete(
                            Kind.of(ConfigMap.class),
                            ObjectKey.of(test.namespace, "owner-" + each),
                            DeletionOptions.defaults());
                }
                test.deleteAll();
            }
        },
        RETIRED_KIND {
            @Override
            void run(BrakeTests test) {
                ConfigMap owner = test.create("owner");
                test.createAllBut(1);
                test.work(() -> test.manager
                        .cache()
                        .list(Kind.of(ConfigMap.class).metadata(), Selection.inNamespace(test.namespace))
                        .forEach(header -> Brake.delete(
                                owner,
                                header,
                                true,
                                () -> test.delete(header.key().name()))));
            }
        },
        FEW_OBJECTS {
            @Override
            void run(BrakeTests test) {
                test.createAll(10);
                assertThat(test.deleteUntilRefused(10)).isEqualTo(10);
            }
        },
        HALF_OF_THEM {
            @Override
            void run(BrakeTests test) {
                test.createAll(OBJECTS);
                assertThat(test.deleteUntilRefused(LIMIT)).isEqualTo(LIMIT);
            }
        },
        REPLACED_ONE_BY_ONE {
            @Override
            void run(BrakeTests test) {
                ConfigMap owner = test.create("owner");
                for (int each = 0; each < OBJECTS; each++) {
                    test.createChild(test.user, "map-" + each, owner);
                }
                test.awaitCached(OBJECTS + 1);
                test.work(() -> {
                    for (int each = 0; each < OBJECTS; each++) {
                        test.delete("map-" + each);
                        test.createChild(test.manager.client(), "new-" + each, owner);
                    }
                });
            }
        },
        RESTART {
            @Override
            void run(BrakeTests test) {
                test.createAll(OBJECTS);
                test.deleteUntilRefused(LIMIT);
                test.restart(test.options());
                test.awaitCached(LIMIT);
            }
        },
        RELEASED {
            @Override
            void run(BrakeTests test) {
                test.createAll(OBJECTS);
                test.deleteUntilRefused(OBJECTS);
                assertThat(test.brake().release(CONTROLLER)).isTrue();
                test.deleteAll();
                assertThat(test.left()).isZero();
            }
        },
        DELETED_ALREADY {
            @Override
            void run(BrakeTests test) {
                for (int each = 0; each < OBJECTS; each++) {
                    test.user.create(test.map("map-" + each)
                            .editMetadata()
                            .withFinalizers("example.com/it")
                            .endMetadata()
                            .build());
                    test.user.delete(
                            Kind.of(ConfigMap.class),
                            ObjectKey.of(test.namespace, "map-" + each),
                            DeletionOptions.defaults());
                }
                test.deleteAll();
            }
        },
        DRY_RUN {
            @Override
            void run(BrakeTests test) {
                test.createAll(OBJECTS);
                DeletionOptions dry = DeletionOptions.defaults().asDryRun();
                test.work(() -> {
                    for (int each = 0; each < OBJECTS; each++) {
                        test.manager
                                .client()
                                .delete(Kind.of(ConfigMap.class), ObjectKey.of(test.namespace, "map-" + each), dry);
                    }
                });
            }
        },
        OUTSIDE_OF_CONTROLLERS {
            @Override
            void run(BrakeTests test) {
                test.createAll(OBJECTS);
                for (int each = 0; each < OBJECTS; each++) {
                    test.delete("map-" + each);
                }
            }
        },
        NOT_COVERED {
            @Override
            void run(BrakeTests test) {
                test.restart(test.options().withCoverage(Coverage.OBJECT_SETS));
                test.createAll(OBJECTS);
                test.deleteAll();
            }
        };

        abstract void run(BrakeTests test);
    }

    private void createAllBut(int others) {
        for (int each = 0; each < OBJECTS; each++) {
            create("map-" + each);
        }
        awaitCached(OBJECTS + others);
    }

    private void deleteAll() {
        work(() -> {
            for (int each = 0; each < OBJECTS; each++) {
                delete("map-" + each);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void deletionsThatAreNoAccidentDoNotStop(Calm calm) {
        calm.run(this);

        assertThat(brake().stops()).isEmpty();
        assertThat(new StopLease(connection, LEASE).read().reasons()).isEmpty();
    }
}
