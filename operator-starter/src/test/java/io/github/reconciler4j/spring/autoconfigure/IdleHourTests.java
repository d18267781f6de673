package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What a healthy operator without work logs in an hour of its clock: nothing. With the default timing it renews its lease 1800 times
 * and resumes each watch twelve times; it also resyncs, and its reconciler asks to be called every ten minutes.
 */
@Timeout(300)
class IdleHourTests {

    private static final int RENEWALS = 1800;
    private static final int RENEWALS_PER_WATCH = 150;
    private static final RequestMatch WATCHES = RequestMatch.watches();
    private static final Duration LEAST_REMAINING = Duration.ofSeconds(6);

    private final KubernetesServer server =
            KubernetesServer.builder().bookmarkInterval(Duration.ofMillis(50)).start();
    private final Clock clock = new Clock();
    private final Appender appender = new Appender();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger operator = (Logger) LoggerFactory.getLogger("io.github.reconciler4j");

    private static final class Appender extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
                events.add(event);
            }
        }
    }

    /** The time of the system and what the test adds. */
    private static final class Clock implements TimeSource {
        private final AtomicLong added = new AtomicLong();
        private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

        void advance(Duration duration) {
            added.addAndGet(duration.toNanos());
            listeners.forEach(Runnable::run);
        }

        @Override
        public long nanoTime() {
            return System.nanoTime() + added.get();
        }

        @Override
        public Instant instant() {
            return Instant.now().plusNanos(added.get());
        }

        @Override
        public void onJump(Runnable listener) {
            listeners.add(listener);
        }

        @Override
        public void await(Condition condition, long nanos) throws InterruptedException {
            condition.awaitNanos(Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(1)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Reconcilers {

        final AtomicInteger reconciled = new AtomicInteger();

        @Bean
        @Reconciler(name = "maps")
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> {
                reconciled.incrementAndGet();
                return Result.requeueAfter(Duration.ofMinutes(10));
            };
        }
    }

    @BeforeEach
    void startAppender() {
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
        operator.setLevel(Level.INFO);
    }

    @AfterEach
    void close() {
        operator.setLevel(null);
        root.detachAppender(appender);
        server.close();
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(1));
    }

    private long renewals() {
        return server.requests().count(RequestMatch.verbs("update").kind("Lease"));
    }

    /** Lets seconds pass until the lease is renewed again, but not so many that it would expire. */
    private void awaitRenewal(Manager manager) {
        long before = renewals();
        await("the lease is renewed").until(() -> {
            if (renewals() == before && remaining(manager).compareTo(LEAST_REMAINING) > 0) {
                clock.advance(Duration.ofSeconds(1));
            }
            return renewals() > before;
        });
    }

    private static Duration remaining(Manager manager) {
        return manager.status().leases().get(0).replica().remaining();
    }

    /** As the API server does after five to ten minutes. */
    private void endWatches() {
        long requests = server.requests().count(WATCHES);
        int ended = server.endWatches(WATCHES, WatchEnd.ORDERLY);
        assertThat(ended).isPositive();
        await("the watches are resumed")
                .until(() -> server.requests().count(WATCHES) >= requests + ended && server.watches(WATCHES) == ended);
    }

    @Test
    void logWhenAHealthyOperatorIsIdleForAnHourIsEmptyAtInfo() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                .withUserConfiguration(Reconcilers.class)
                .withBean(Config.class, server::clientConfig)
                .withBean(ManagerOptionsCustomizer.class, () -> options -> options.withTimeSource(clock))
                .withPropertyValues(
                        "spring.application.name=shop",
                        "reconciler4j.cache.resync=1s",
                        "reconciler4j.leader-election.enabled=true",
                        "reconciler4j.leader-election.namespace=default")
                .run(context -> {
                    Manager manager = context.getBean(Manager.class);
                    AtomicInteger reconciled = context.getBean(Reconcilers.class).reconciled;
                    create(context.getBean(Client.class), "one");
                    await("the first reconciliation").until(() -> reconciled.get() > 0);
                    await("the controller logs that it runs")
                            .until(() -> appender.events.stream()
                                    .anyMatch(
                                            event -> event.getFormattedMessage().startsWith("Controller maps runs")));
                    appender.events.clear();
                    reconciled.set(0);
                    long start = clock.nanoTime();

                    for (int renewal = 1; renewal <= RENEWALS; renewal++) {
                        awaitRenewal(manager);
                        if (renewal % RENEWALS_PER_WATCH == 0) {
                            endWatches();
                        }
                    }

                    assertThat(Duration.ofNanos(clock.nanoTime() - start)).isGreaterThan(Duration.ofHours(1));
                    assertThat(reconciled).hasValueGreaterThanOrEqualTo(6);
                    assertThat(appender.events)
                            .extracting(ILoggingEvent::getFormattedMessage)
                            .isEmpty();
                });
    }

    private static void create(Client client, String name) {
        client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build());
    }
}
