package io.github.reconciler4j.spring.autoconfigure;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.LeadershipEvent;
import io.github.reconciler4j.spring.OperatorFailedEvent;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** Applications with an operator that runs, and what is left of them. */
@Timeout(180)
abstract class RunningOperatorFixture {

    private static final List<String> PREFIXES =
            List.of("lifecycle-", "operator-", "controller-", "reconciler4j-http-", "event-writer");

    final KubernetesServer server = KubernetesServer.start();

    final List<ConfigurableApplicationContext> contexts = new ArrayList<>();
    final List<String> journal = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeContexts() {
        contexts.forEach(ConfigurableApplicationContext::close);
        server.close();
    }

    /** An operator whose reconciles of objects named {@code slow} wait until they are let go. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Operator {

        final CountDownLatch slowBegins = new CountDownLatch(1);
        final CountDownLatch slowMayEnd = new CountDownLatch(1);
        final List<String> reconciled = new CopyOnWriteArrayList<>();
        final List<LeadershipEvent> leadership = new CopyOnWriteArrayList<>();
        final List<OperatorFailedEvent> failures = new CopyOnWriteArrayList<>();

        @EventListener
        void leadership(LeadershipEvent event) {
            leadership.add(event);
        }

        @EventListener
        void failed(OperatorFailedEvent event) {
            failures.add(event);
        }

        @Bean
        @Reconciler(name = "maps", value = ConfigMap.class)
        RequestReconciler<Request> maps() {
            return (request, context) -> {
                if (request.name().equals("slow")) {
                    slowBegins.countDown();
                    slowMayEnd.await();
                }
                reconciled.add(request.name());
                return Result.done();
            };
        }
    }

    /** Something that reconciles may use, stopped after the operator and before web servers. */
    private final class Resource implements SmartLifecycle {

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            journal.add("resource stopped");
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return ManagerLifecycle.PHASE - 1;
        }
    }

    ConfigurableApplicationContext run(Config config, String... arguments) {
        return run(List.of(), config, arguments);
    }

    ConfigurableApplicationContext run(List<Class<?>> more, Config config, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--spring.main.banner-mode=off", "--reconciler4j.name=lifecycle"));
        all.addAll(List.of(arguments));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Operator.class)
                .sources(more.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .initializers(created -> {
                    contexts.add(created);
                    created.getBeanFactory().registerSingleton("config", config);
                    created.getBeanFactory().registerSingleton("resource", new Resource());
                })
                .listeners((ApplicationListener<AvailabilityChangeEvent<?>>)
                        event -> journal.add(String.valueOf(event.getState())))
                .run(all.toArray(String[]::new));
        return context;
    }

    static Config unreachable() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:1")
                .build();
    }

    static void create(ConfigurableApplicationContext context, String name) {
        context.getBean(Client.class)
                .create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .build());
    }

    static ConditionFactory eventually(String what) {
        return await(what).atMost(Duration.ofSeconds(60));
    }

    static Operator operator(ConfigurableApplicationContext context) {
        return context.getBean(Operator.class);
    }

    /** The live threads of one operator that are named after it. */
    static Set<String> threads(String operator) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(operator + "-") || name.startsWith("operator-" + operator))
                .collect(Collectors.toSet());
    }

    /** The live threads that are named as the framework names them, or are in its code. */
    static Set<String> threads() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> isOurs(entry.getKey(), entry.getValue()))
                .map(entry -> entry.getKey().getName())
                .collect(Collectors.toSet());
    }

    private static boolean isOurs(Thread thread, StackTraceElement[] stack) {
        return PREFIXES.stream().anyMatch(thread.getName()::startsWith)
                || Arrays.stream(stack)
                        .map(StackTraceElement::getClassName)
                        .anyMatch(name -> name.startsWith("io.github.reconciler4j.")
                                && !name.startsWith("io.github.reconciler4j.test.")
                                && !name.contains("Tests")
                                && !name.contains("Fixture"));
    }
}
