package io.github.reconciler4j.brake;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two replicas: one stops its deletions, then the other one leads. */
abstract class BrakeLeaderScenario {

    private static final String CONTROLLER = "web";
    private static final String ANNOTATION = StopLease.PREFIX + CONTROLLER;
    private static final int OBJECTS = 8;
    private static final int LIMIT = 3;
    private static final LeaseTiming TIMING =
            LeaseTiming.of(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofMillis(100));

    private ApiConnection connection;

    /** A client outside of the replicas. */
    private Client user;

    private String namespace;
    private ObjectKey lease;
    private Manager first;
    private Manager second;

    /** Connect to the API server; subclasses call this before each test. */
    void connect(Config config, String itsNamespace) {
        connection = ApiConnection.open(config);
        user = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        namespace = itsNamespace;
        lease = ObjectKey.of(namespace, "shop");
        for (int each = 0; each < OBJECTS; each++) {
            user.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName("map-" + each)
                    .addToLabels(Map.of("app", "web"))
                    .endMetadata()
                    .build());
        }
        first = replica(config, "first");
        eventually("the first one leads", () -> leads(first));
        second = replica(config, "second");
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        connection.close();
    }

    private Manager replica(Config config, String identity) {
        Manager replica = Manager.create(
                config,
                ManagerOptions.defaults()
                        .withName("shop")
                        .withExtension(BrakeOptions.defaults()
                                .withCoverage(BrakeOptions.Coverage.ALL)
                                .withMinimum(LIMIT)
                                .withShare(0))
                        .withLeaderElection(LeaderElectionOptions.named("shop")
                                .withLeaseNamespace(namespace)
                                .withIdentity(identity)
                                .withOnLost(OnLost.REJOIN)
                                .withReleaseOnStop(true)
                                .withTiming(TIMING)));
        replica.start();
        return replica;
    }

    private static boolean leads(Manager replica) {
        return replica.status().leases().stream().anyMatch(LeaseStatus::leading);
    }

    private static void eventually(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(condition);
    }

    /** Let the controller of a replica delete all objects; return how many calls were refused. */
    private int deleteAll(Manager replica) {
        int[] refused = {0};
        Runnable deletions = () -> {
            for (int each = 0; each < OBJECTS; each++) {
                try {
                    replica.client()
                            .delete(
                                    Kind.of(ConfigMap.class),
                                    ObjectKey.of(namespace, "map-" + each),
                                    DeletionOptions.defaults());
                } catch (BrakeException e) {
                    refused[0]++;
                }
            }
        };
        WorkScope.in(CONTROLLER, CONTROLLER, deletions).run();
        return refused[0];
    }

    private int left() {
        return user.live()
                .list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace).withLabelSelector("app=web"))
                .size();
    }

    private Lease lease() {
        return user.live().get(Kind.of(Lease.class), lease).orElseThrow();
    }

    private Map<String, String> annotations() {
        Map<String, String> annotations = lease().getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }

    /** Wait until the holder has renewed the Lease twice. */
    private void awaitRenewals() {
        Set<String> versions = new HashSet<>();
        eventually("renewals", () -> {
            versions.add(lease().getMetadata().getResourceVersion());
            return versions.size() > 2;
        });
    }

    private void stopFirst() {
        assertThat(deleteAll(first)).isEqualTo(OBJECTS - LIMIT);
        assertThat(left()).isEqualTo(OBJECTS - LIMIT);
        awaitRenewals();
        assertThat(annotations()).containsKey(ANNOTATION);
    }

    /** How the first replica ends to lead. */
    enum End {
        CLOSED {
            @Override
            void happen(BrakeLeaderScenario scenario) {
                scenario.first.close();
            }
        },
        LEASE_LOST {
            @Override
            void happen(BrakeLeaderScenario scenario) {
                scenario.letSecondLead();
            }
        },
        LEASE_EMPTIED {
            @Override
            void happen(BrakeLeaderScenario scenario) {
                scenario.emptyLease(); // the first one still runs, and campaigns again
            }
        };

        abstract void happen(BrakeLeaderScenario scenario);
    }

    private void emptyLease() {
        user.retryOnConflict(Lease.class, lease, found -> {
            found.getSpec().setHolderIdentity("");
            return user.update(found);
        });
    }

    /** Take the Lease from the first replica until the second one acquires it. */
    private void letSecondLead() {
        eventually("the second one leads", () -> {
            if (leader() == first) {
                emptyLease();
            }
            return leads(second);
        });
    }

    private Manager leader() {
        eventually("one leads", () -> {
            String holder = lease().getSpec().getHolderIdentity();
            return holder.equals("first") && leads(first) || holder.equals("second") && leads(second);
        });
        return leads(second) ? second : first;
    }

    @ParameterizedTest
    @EnumSource
    void nextLeaderKnowsTheStopBeforeItDeletes(End end) {
        stopFirst();
        end.happen(this);
        Manager next = end == End.LEASE_EMPTIED ? leader() : second;
        eventually("it leads", () -> leads(next));

        assertThat(deleteAll(next)).isEqualTo(OBJECTS - LIMIT);
        assertThat(left()).isEqualTo(OBJECTS - LIMIT);
        assertThat(Brake.of(next).stops()).singleElement().satisfies(stop -> {
            assertThat(stop.persisted()).isTrue();
            assertThat(stop.reason()).contains("3 of ");
        });
        awaitRenewals();
        assertThat(annotations()).containsKey(ANNOTATION);

        assertThat(Brake.of(next).release(CONTROLLER)).isTrue();
        assertThat(deleteAll(next)).isZero();
        assertThat(left()).isZero();
        awaitRenewals();
        assertThat(annotations()).doesNotContainKey(ANNOTATION);
    }

    @Test
    void leaderThatReturnsKnowsTheReleaseOfTheOther() {
        stopFirst();
        letSecondLead();
        assertThat(deleteAll(second)).isEqualTo(OBJECTS - LIMIT);
        assertThat(Brake.of(second).release(CONTROLLER)).isTrue();
        second.close();
        eventually("the first one leads again", () -> leads(first));

        assertThat(deleteAll(first)).isZero();
        assertThat(left()).isZero();
        assertThat(Brake.of(first).stops()).isEmpty();
    }

    @Test
    void deletedLeaseIsNoRelease() {
        stopFirst();
        Lease before = lease();
        before.getMetadata().setAnnotations(null);
        before.getMetadata().setResourceVersion(null);
        before.getMetadata().setUid(null);
        eventually("another Lease is there", () -> {
            user.delete(Kind.of(Lease.class), lease, DeletionOptions.defaults());
            try {
                user.create(before);
                return true;
            } catch (AlreadyExistsException e) { // a replica was first
                return false;
            }
        });

        eventually("the stop is stored again", () -> {
            Manager leader = leader();
            assertThat(deleteAll(leader)).isEqualTo(OBJECTS - LIMIT);
            return annotations().containsKey(ANNOTATION);
        });
        assertThat(left()).isEqualTo(OBJECTS - LIMIT);
    }
}
