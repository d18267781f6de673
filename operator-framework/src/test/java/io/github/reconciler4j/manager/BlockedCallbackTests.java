package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.health.HealthCheck.Health;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.CallWatch;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A callback that does not return delays what comes after it alone, and log and health name it until it returns. */
@Timeout(180)
class BlockedCallbackTests {

    private final KubernetesServer server = KubernetesServer.start();
    private final ManualTimeSource clock = new ManualTimeSource();
    private final Manager manager = Manager.create(
            server.clientConfig(),
            ManagerOptions.defaults().withName("blocked").withTimeSource(new LookingTime(clock)));
    private final CapturedLog log = CapturedLog.of(CallWatch.class.getName());
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Set<String> reconciled = ConcurrentHashMap.newKeySet();

    /** The watch over callbacks looks each millisecond at a clock that a test advances. */
    private record LookingTime(ManualTimeSource clock) implements TimeSource {

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public Instant instant() {
            return clock.instant();
        }

        @Override
        public void await(Condition condition, long nanos) throws InterruptedException {
            clock.await(condition, nanos);
        }

        @Override
        public boolean await(CountDownLatch latch, long nanos) throws InterruptedException {
            return latch.await(1, TimeUnit.MILLISECONDS);
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            clock.sleep(nanos);
        }

        @Override
        public void onJump(Runnable listener) {
            clock.onJump(listener);
        }
    }

    /** Where user code is called, how a line names it, and whether other controllers of the same kind continue. */
    private enum Callback {
        LISTENER("listener of mine", true) {
            @Override
            void add(BlockedCallbackTests test) {
                test.manager.cache().informer(ConfigMap.class).subscribe("mine", event -> {
                    test.block(event.snapshot().header().key().name());
                    test.reconciled.add(
                            "blocked " + event.snapshot().header().key().name());
                });
            }
        },
        PREDICATE("event predicate of", true) {
            @Override
            void add(BlockedCallbackTests test) {
                test.controller("blocked")
                        .when(event -> {
                            test.block(event.snapshot().header().key().name());
                            return true;
                        })
                        .addTo(test.manager);
            }
        },
        HANDLER("event handler of", true) {
            @Override
            void add(BlockedCallbackTests test) {
                test.secrets("blocked")
                        .watches(Watch.kind(ConfigMap.class).handler((event, sink) -> {
                            test.block(event.snapshot().header().key().name());
                            sink.add(Request.of(event.snapshot().header().key()));
                        }))
                        .addTo(test.manager);
            }
        },
        MAPPER("mapper of", true) {
            @Override
            void add(BlockedCallbackTests test) {
                test.secrets("blocked")
                        .watches(ConfigMap.class, map -> {
                            test.block(map.getMetadata().getName());
                            return List.of(Request.of(map));
                        })
                        .addTo(test.manager);
            }
        },
        INDEX("index function of", false) {
            @Override
            void add(BlockedCallbackTests test) {
                test.controller("blocked")
                        .index("terms", map -> {
                            test.block(map.getMetadata().getName());
                            return List.of("a");
                        })
                        .addTo(test.manager);
            }
        };

        private final String named;
        private final boolean kindContinues;

        Callback(String named, boolean kindContinues) {
            this.named = named;
            this.kindContinues = kindContinues;
        }

        abstract void add(BlockedCallbackTests test);
    }

    @AfterEach
    void stop() {
        released.countDown();
        log.close();
        manager.close();
        server.close();
    }

    private void block(String name) {
        if (!name.equals("hangs")) {
            return;
        }
        reached.countDown();
        boolean interrupted = false;
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private ControllerBuilder<ConfigMap> controller(String name) {
        return ControllerBuilder.of(ConfigMap.class)
                .named(name)
                .requestReconciler((request, context) -> done(name, request));
    }

    private ControllerBuilder<Secret> secrets(String name) {
        return ControllerBuilder.of(Secret.class)
                .named(name)
                .requestReconciler((request, context) -> done(name, request));
    }

    private Result done(String controller, Request request) {
        reconciled.add(controller + " " + request.name());
        return Result.done();
    }

    private void create(HasMetadata object, String name) {
        object.getMetadata().setNamespace("default");
        object.getMetadata().setName(name);
        manager.client().create(object);
    }

    private void createMap(String name) {
        create(new ConfigMapBuilder().withNewMetadata().endMetadata().build(), name);
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(10));
    }

    private Health callbacks() {
        return manager.healthChecks().stream()
                .filter(check -> check.name().equals("callbacks"))
                .findFirst()
                .orElseThrow()
                .check();
    }

    @ParameterizedTest
    @EnumSource(Callback.class)
    void callbackWhenItDoesNotReturnIsNamedAndDelaysNobodyElse(Callback callback) throws Exception {
        callback.add(this);
        controller("maps").addTo(manager);
        secrets("secrets").addTo(manager);
        manager.start();
        createMap("before");
        eventually("all work").until(() -> reconciled.containsAll(Set.of("blocked before", "maps before")));

        createMap("hangs");
        assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
        createMap("after");
        create(new SecretBuilder().withNewMetadata().endMetadata().build(), "secret");
        eventually("other kinds continue").until(() -> reconciled.contains("secrets secret"));
        if (callback.kindContinues) {
            eventually("the others continue").until(() -> reconciled.containsAll(Set.of("maps hangs", "maps after")));
        }
        assertThat(reconciled).doesNotContain("blocked after");
        assertThat(callbacks().details()).doesNotContainKey("notReturned");

        eventually("health names it").until(() -> {
            clock.advance(Duration.ofSeconds(10));
            return callbacks().details().toString().contains(callback.named);
        });
        assertThat(callbacks().alive()).isTrue();
        assertThat(log.lines(Level.WARN))
                .singleElement()
                .asString()
                .contains("does not return", callback.named, "default/hangs", "BlockedCallbackTests");
        eventually("the process is not alive").until(() -> {
            clock.advance(Duration.ofSeconds(10));
            return !callbacks().alive();
        });

        released.countDown();
        eventually("it catches up").until(() -> reconciled.containsAll(Set.of("blocked after", "maps after")));
        eventually("health is fine")
                .until(() -> callbacks().alive() && callbacks().details().isEmpty());
    }
}
