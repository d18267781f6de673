package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ErrorStatusHandler;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.References;
import io.github.reconciler4j.spring.Watches;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The declarations of a reconciler work on a running operator, also if the reconciler is a proxy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnnotatedReconcilerTests {

    private static final String FINALIZER = "example.com/pods";

    private KubernetesServer server;

    @BeforeAll
    void startServer() {
        server = KubernetesServer.start();
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    enum Proxy {
        NONE,
        OF_CLASS,
        OF_INTERFACES
    }

    @ParameterizedTest
    @EnumSource
    void reconcilerWhenProxiedOrNotWatchesCleansUpAndReportsErrors(Proxy proxy) {
        try (ConfigurableApplicationContext context = run("--proxy=" + proxy)) {
            Client client = context.getBean(Client.class);
            List<String> calls = context.getBean(Calls.class).list();
            String prefix = proxy.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');

            client.create(secret(prefix));
            client.create(pod(prefix + "-other", prefix, "other"));
            client.create(pod(prefix, prefix, "web"));
            awaitCall(calls, "reconciled " + prefix);
            assertThat(client.live()
                            .get(Pod.class, "default", prefix)
                            .orElseThrow()
                            .getMetadata()
                            .getFinalizers())
                    .containsExactly(FINALIZER);

            calls.clear();
            client.patch(secret(prefix), ObjectPatch.merge(Map.of("stringData", Map.of("key", "changed"))));
            awaitCall(calls, "reconciled " + prefix);

            client.delete(client.live().get(Pod.class, "default", prefix).orElseThrow());
            awaitCall(calls, "cleaned up " + prefix);
            eventually("the pod is gone")
                    .until(() -> client.live().get(Pod.class, "default", prefix).isEmpty());

            client.create(pod(prefix + "-bad", prefix, "web"));
            eventually("the error is in the status")
                    .until(() -> client.live()
                            .get(Pod.class, "default", prefix + "-bad")
                            .map(Pod::getStatus)
                            .map(PodStatus::getMessage)
                            .equals(Optional.of("no luck")));
            assertThat(calls).noneMatch(call -> call.endsWith("-other"));
        }
    }

    @Test
    void operatorWhenInitializationIsLazyRuns() {
        try (ConfigurableApplicationContext context = run("--proxy=NONE", "--spring.main.lazy-initialization=true")) {
            Client client = context.getBean(Client.class);
            client.create(pod("lazy", "lazy", "web"));
            awaitCall(context.getBean(Calls.class).list(), "reconciled lazy");
        }
    }

    @Test
    void operatorsWhenSeveralAreInOneJvmRunBesideAndAfterEachOther() {
        try (ConfigurableApplicationContext first = run("--proxy=NONE", "--reconciler4j.name=first")) {
            try (ConfigurableApplicationContext second = run("--proxy=NONE", "--reconciler4j.name=second")) {
                assertThat(second.getBean(Manager.class)).isNotSameAs(first.getBean(Manager.class));
                first.getBean(Client.class).create(pod("both", "both", "web"));
                awaitCall(first.getBean(Calls.class).list(), "reconciled both");
                awaitCall(second.getBean(Calls.class).list(), "reconciled both");
            }
            first.getBean(Client.class).create(pod("one", "one", "web"));
            awaitCall(first.getBean(Calls.class).list(), "reconciled one");
        }
        try (ConfigurableApplicationContext again = run("--proxy=NONE", "--reconciler4j.name=first")) {
            awaitCall(again.getBean(Calls.class).list(), "reconciled one");
        }
    }

    private ConfigurableApplicationContext run(String... arguments) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .initializers(context -> context.getBeanFactory().registerSingleton("config", server.clientConfig()))
                .properties("spring.main.banner-mode=off", "spring.jmx.enabled=false")
                .run(arguments);
    }

    private static void awaitCall(List<String> calls, String call) {
        eventually(call).until(() -> calls.contains(call));
    }

    private static org.awaitility.core.ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60));
    }

    private static Pod pod(String name, String secret, String app) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .addToLabels("app", app)
                .addToAnnotations("secret", secret)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build();
    }

    private static Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    record Calls(List<String> list) {}

    interface SecretIndex {

        @References(value = Secret.class, index = "secret")
        String secretOf(Pod pod);

        @Watches(Secret.class)
        List<Request> none(ObjectHeader secret);
    }

    @Reconciler(name = "pods", labelSelector = "${selector:app=web}", finalizer = FINALIZER)
    static class PodReconciler implements ObjectReconciler<Pod>, Cleaner<Pod>, ErrorStatusHandler<Pod>, SecretIndex {

        private final List<String> calls;

        PodReconciler(Calls calls) {
            this.calls = calls.list();
        }

        @Override
        public String secretOf(Pod pod) {
            return pod.getMetadata().getAnnotations().get("secret");
        }

        @Override
        public List<Request> none(ObjectHeader secret) {
            return List.of();
        }

        @Override
        public Result reconcile(Pod pod, ReconcileContext context) {
            if (pod.getMetadata().getName().endsWith("-bad")) {
                throw new IllegalStateException("no luck");
            }
            calls.add("reconciled " + pod.getMetadata().getName());
            return Result.done();
        }

        @Override
        public CleanupResult cleanup(Pod pod, ReconcileContext context) {
            calls.add("cleaned up " + pod.getMetadata().getName());
            return CleanupResult.done();
        }

        @Override
        public void updateErrorStatus(Pod pod, Exception error, ReconcileContext context) {
            pod.getStatus().setMessage(error.getMessage());
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(PodReconciler.class)
    static class Application {

        @Bean
        Calls calls() {
            return new Calls(new CopyOnWriteArrayList<>());
        }

        @Bean
        static BeanPostProcessor proxies(@Value("${proxy}") Proxy proxy) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    if (!(bean instanceof PodReconciler) || proxy == Proxy.NONE) {
                        return bean;
                    }
                    ProxyFactory factory = new ProxyFactory(bean);
                    factory.setProxyTargetClass(proxy == Proxy.OF_CLASS);
                    Object proxied = factory.getProxy();
                    assertThat(AopUtils.isJdkDynamicProxy(proxied)).isEqualTo(proxy == Proxy.OF_INTERFACES);
                    return proxied;
                }
            };
        }
    }
}
