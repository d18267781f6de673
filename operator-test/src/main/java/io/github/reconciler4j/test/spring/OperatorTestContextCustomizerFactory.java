package io.github.reconciler4j.test.spring;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.KubernetesServerBuilder;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Finds {@link OperatorTest} on test classes. */
final class OperatorTestContextCustomizerFactory implements ContextCustomizerFactory {
    private static final Pattern VERSION = Pattern.compile("1\\.(\\d{1,3})");

    OperatorTestContextCustomizerFactory() {}

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
        var found = TestContextAnnotationUtils.findAnnotationDescriptor(testClass, OperatorTest.class);
        if (found == null) {
            return null;
        }
        OperatorTest wanted = found.getAnnotation();
        IgnoredSettings.warn(testClass, wanted);
        String owner = wanted.shared() ? "" : outermost(testClass).getName();
        return new OperatorTestContextCustomizer(
                List.of(wanted.definitions()),
                List.of(wanted.cluster()),
                minor(wanted.kubernetes()),
                wanted.server(),
                OperatorRoles.of(wanted),
                List.of(wanted.controllers()),
                owner);
    }

    /** Return the minor version of Kubernetes, -1 for the newest. */
    private static int minor(String version) {
        if (version.isEmpty()) {
            return -1;
        }
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "Invalid 'kubernetes' of @OperatorTest: '" + version + "' is not a version such as 1.31");
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** Return the class whose configuration a test class has: itself, or for a nested one the class around it. */
    static Class<?> outermost(Class<?> testClass) {
        Class<?> outermost = testClass;
        while (TestContextAnnotationUtils.searchEnclosingClass(outermost)) {
            outermost = outermost.getEnclosingClass();
        }
        return outermost;
    }

    /**
     * Adds the cluster to an application. Equal ones share an application, as Spring's cache of contexts compares them.
     *
     * @param definitions the places of definitions
     * @param cluster the controllers of Kubernetes that run on the server
     * @param minor the minor version of Kubernetes that the server offers, -1 for the newest
     * @param server what changes the server's settings
     * @param roles the roles whose rights the operator has
     * @param controllers the controllers that run, empty for those of the properties
     * @param owner the class that has the application for itself; empty for a shared one
     */
    private record OperatorTestContextCustomizer(
            List<String> definitions,
            List<String> cluster,
            int minor,
            Class<? extends ServerCustomizer> server,
            OperatorRoles roles,
            List<String> controllers,
            String owner)
            implements ContextCustomizer {
        private static final String CLUSTER = "kubernetesTestCluster";
        private static final String WEBHOOKS = "kubernetesTestWebhooks";
        private static final String SHARDING = "reconciler4j.sharding.enabled";
        private static final String CONTROLLERS = "reconciler4j.enabled-controllers";
        private static final String INLINED = "Inlined Test Properties";

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
            Supplier<TestCluster> cluster = () -> context.getBean(CLUSTER, TestCluster.class);
            RootBeanDefinition starts = new RootBeanDefinition(TestCluster.class, this::start);
            starts.setDestroyMethodName("close");
            registry.registerBeanDefinition(CLUSTER, starts);
            RootBeanDefinition config = new RootBeanDefinition(
                    Config.class,
                    () -> roles.areWanted()
                            ? roles.install(
                                    cluster.get(),
                                    context.getBean(WEBHOOKS, OperatorWebhooks.class),
                                    context.getEnvironment().getProperty(SHARDING, Boolean.class, false))
                            : cluster.get().operatorConfig());
            if (roles.areWanted()) {
                context.getEnvironment()
                        .getPropertySources()
                        .addLast(new MapPropertySource("operatorTestRoles", roles.leaseSettings()));
            }
            addWebhooks(context, registry, cluster);
            config.setPrimary(true);
            config.setDependsOn(CLUSTER, WEBHOOKS);
            registry.registerBeanDefinition("kubernetesTestConfig", config);
            RootBeanDefinition inJvm = new RootBeanDefinition(
                    KubernetesServer.class,
                    () -> cluster.get()
                            .server()
                            .orElseThrow(() ->
                                    new IllegalStateException("There is no API server in this JVM, but a real one")));
            inJvm.setLazyInit(true);
            inJvm.setDestroyMethodName("");
            registry.registerBeanDefinition("kubernetesTestServer", inJvm);
        }

        /** Add the settings of webhooks and controllers: the properties of the test win, those of the application do not. */
        private void addWebhooks(
                ConfigurableApplicationContext context,
                BeanDefinitionRegistry registry,
                Supplier<TestCluster> cluster) {
            Map<String, Object> settings = OperatorWebhooks.settings(roles, context.getEnvironment());
            addProperties(context, "operatorTestWebhooks", settings);
            if (!controllers.isEmpty()) {
                addProperties(context, "operatorTestControllers", Map.of(CONTROLLERS, String.join(",", controllers)));
            }
            RootBeanDefinition webhooks = new RootBeanDefinition(
                    OperatorWebhooks.class,
                    () -> OperatorWebhooks.of(cluster.get(), settings, context.getEnvironment()));
            webhooks.setDependsOn(CLUSTER);
            webhooks.setDestroyMethodName("close");
            registry.registerBeanDefinition(WEBHOOKS, webhooks);
        }

        private static void addProperties(
                ConfigurableApplicationContext context, String name, Map<String, Object> properties) {
            MutablePropertySources sources = context.getEnvironment().getPropertySources();
            MapPropertySource source = new MapPropertySource(name, properties);
            if (sources.contains(INLINED)) {
                sources.addAfter(INLINED, source);
            } else {
                sources.addFirst(source);
            }
        }

        private TestCluster start() {
            ServerCustomizer customizer = BeanUtils.instantiateClass(server);
            return TestCluster.start(TestClusterOptions.defaults()
                    .withDefinitions(definitions)
                    .withCluster(cluster.toArray(String[]::new))
                    .withServer(builder -> customizer.customize(version(builder).rbac(roles.areWanted()))));
        }

        private KubernetesServerBuilder version(KubernetesServerBuilder builder) {
            return minor < 0 ? builder : builder.minorVersion(minor);
        }
    }
}
