package io.github.reconciler4j.generator.operator;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.operator.OperatorSnapshot.Sharding;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationHook;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.boot.bootstrap.ConfigurableBootstrapContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Runs the {@code main} method of a Spring Boot application until all its singletons exist, and no further: nothing that
 * has a lifecycle starts, neither the manager nor a web server, and no runner is called. The manager gets the address of a
 * cluster that does not exist.
 */
final class SpringOperator {

    private static final String LOG_LEVEL = "logging.level.root";
    private static final String DEVTOOLS = "spring.devtools.restart.enabled";

    private static final String SHARDING = "reconciler4j.sharding.enabled";

    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            clusters: [{name: none, cluster: {server: "https://no-cluster-at-build-time.invalid"}}]
            contexts: [{name: none, context: {cluster: none, user: none, namespace: %s}}]
            users: [{name: none, user: {}}]
            current-context: none
            """.formatted(OperatorReader.RELEASE);

    private final String mainClass;
    private final Map<String, Object> properties;

    private @Nullable ConfigurableApplicationContext created;

    /**
     * Creates it.
     *
     * @param mainClass the class with the {@code main} method
     * @param properties properties of the application that take precedence over all others
     */
    SpringOperator(String mainClass, Map<String, String> properties) {
        this.mainClass = mainClass;
        this.properties = new LinkedHashMap<>(properties);
    }

    /** Returns what the application declares. */
    OperatorSnapshot read() {
        AtomicReference<OperatorSnapshot> result = new AtomicReference<>();
        Path kubeconfig = kubeconfig();
        try {
            properties.put("reconciler4j.client.kubeconfig", kubeconfig.toString());
            properties.put("reconciler4j.client.context", "none");
            properties.put("reconciler4j.leader-election.enabled", "true");
            properties.put("reconciler4j.leader-election.name", OperatorReader.RELEASE);
            properties.put("reconciler4j.leader-election.namespace", OperatorReader.RELEASE);
            properties.put("reconciler4j.webhook.service-name", WebhookSnapshot.SERVICE);
            properties.put("reconciler4j.webhook.service-namespace", WebhookSnapshot.NAMESPACE);
            properties.put("reconciler4j.webhook.configuration-name", WebhookSnapshot.NAME);
            properties.put("reconciler4j.exit-on-failure", "false");
            properties.put("spring.main.register-shutdown-hook", "false");
            properties.put("spring.main.banner-mode", "off");
            properties.putIfAbsent("logging.level.root", "error");
            SpringApplication.withHook(
                    (SpringApplicationHook) application -> listener(result), () -> quietly(this::callMain));
        } catch (SpringApplication.AbandonedRunException e) {
            // what the listener ends the run with
        } finally {
            delete(kubeconfig);
        }
        OperatorSnapshot snapshot = result.get();
        if (snapshot == null) {
            throw new GeneratorException(
                    "The main method of " + mainClass + " has returned without running a" + " SpringApplication");
        }
        return snapshot;
    }

    /**
     * Logging and DevTools are set up before the environment can be changed. The first would report the end of the run as a
     * failure; the second would run the main method again in another thread.
     */
    private static void quietly(Runnable run) {
        with(LOG_LEVEL, "off", () -> with(DEVTOOLS, "false", run));
    }

    private static void with(String property, String value, Runnable run) {
        String before = System.getProperty(property);
        System.setProperty(property, value);
        try {
            run.run();
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }

    private SpringApplicationRunListener listener(AtomicReference<OperatorSnapshot> result) {
        AtomicReference<Sharding> sharding = new AtomicReference<>(Sharding.OFF);
        return new SpringApplicationRunListener() {
            @Override
            public void environmentPrepared(
                    ConfigurableBootstrapContext bootstrap, ConfigurableEnvironment environment) {
                environment.getPropertySources().addFirst(new MapPropertySource("reconciler4jGenerator", properties));
                sharding.set(sharding(environment));
                properties.put(SHARDING, "false"); // the leases of leaders are needed without sharding
            }

            @Override
            public void contextPrepared(ConfigurableApplicationContext context) {
                created = context;
                context.getBeanFactory()
                        .registerSingleton(
                                AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME,
                                new Reader(context, sharding, result));
            }
        };
    }

    private static Sharding sharding(ConfigurableEnvironment environment) {
        return new Sharding(
                environment.getProperty(SHARDING, Boolean.class, false),
                environment.getProperty("reconciler4j.sharding.shards", Integer.class, Sharding.OFF.shards()));
    }

    private void callMain() {
        try {
            mainMethod().invoke(null, (Object) new String[0]);
        } catch (ClassNotFoundException e) {
            throw new GeneratorException("There is no class " + mainClass + " on the class path", e);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new GeneratorException(
                    mainClass
                            + " must be public and have a public static void main(String[]). If another class has it, set"
                            + " mainClass",
                    e);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SpringApplication.AbandonedRunException abandoned) {
                throw abandoned;
            }
            throw FailedApplication.of(mainClass, e.getCause(), created);
        }
    }

    /** In Kotlin, the function {@code main} beside the class is in a class of its own. */
    private Method mainMethod() throws ClassNotFoundException, NoSuchMethodException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Class<?> named = Class.forName(mainClass, true, loader);
        try {
            return named.getMethod("main", String[].class);
        } catch (NoSuchMethodException e) {
            String file = mainClass + "Kt";
            if (loader.getResource(file.replace('.', '/') + ".class") == null) {
                throw e;
            }
            return Class.forName(file, true, loader).getMethod("main", String[].class);
        }
    }

    private static Path kubeconfig() {
        try {
            return Files.writeString(Files.createTempFile("no-cluster", ".kubeconfig"), KUBECONFIG);
        } catch (IOException e) {
            throw new GeneratorException("Cannot write a temporary file: " + e.getMessage(), e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }

    /** Called once all singletons exist, before anything starts. */
    private record Reader(
            ConfigurableApplicationContext context,
            AtomicReference<Sharding> sharding,
            AtomicReference<OperatorSnapshot> result)
            implements LifecycleProcessor {

        @Override
        public void onRefresh() {
            result.set(snapshot());
            throw new SpringApplication.AbandonedRunException(context);
        }

        private OperatorSnapshot snapshot() {
            Manager manager = manager();
            OperatorSnapshot.Web web = web();
            try {
                return OperatorSnapshot.of(manager, web, Objects.requireNonNull(sharding.get()));
            } catch (GeneratorException e) {
                List<String> reconcilers = List.of(context.getBeanNamesForType(ObjectReconciler.class));
                if (reconcilers.isEmpty()) {
                    throw e;
                }
                throw new GeneratorException(
                        e.getMessage() + " Annotate the class or @Bean method with @Reconciler: '"
                                + String.join("', '", reconcilers) + "'.",
                        e);
            }
        }

        private Manager manager() {
            try {
                return context.getBean(Manager.class);
            } catch (BeansException e) {
                throw new GeneratorException(
                        "The application has no Manager: is reconciler4j-spring-boot-starter on its class path, and is"
                                + " reconciler4j.enabled not false? (R4J-702)",
                        e);
            }
        }

        private OperatorSnapshot.Web web() {
            if (!context.containsBean("webServerFactoryCustomizerBeanPostProcessor")) {
                return OperatorSnapshot.Web.NONE;
            }
            boolean separate = context.getEnvironment().containsProperty("management.server.port");
            return new OperatorSnapshot.Web(
                    context.containsBean("healthEndpoint"), separate ? "management.server.port" : "server.port");
        }

        @Override
        public void onClose() {}

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }
}
