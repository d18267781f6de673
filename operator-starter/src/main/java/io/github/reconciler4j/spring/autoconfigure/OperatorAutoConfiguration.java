package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ConfigurableController;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.ControllerCustomizers;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.cluster.KubeconfigFolder;
import io.github.reconciler4j.cluster.KubeconfigSecrets;
import io.github.reconciler4j.installer.CrdInstaller;
import io.github.reconciler4j.installer.CrdInstallerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.plan.Plan;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.ResourcePatternResolver;
import org.springframework.util.ClassUtils;

/**
 * {@link AutoConfiguration Auto-configuration} of an operator: a {@link Manager} and what belongs to it as beans, a
 * controller for each {@link io.github.reconciler4j.spring.Reconciler} bean, and a lifecycle that starts and stops the
 * manager with the application.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(Manager.class)
@ConditionalOnBooleanProperty(name = "reconciler4j.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OperatorProperties.class)
public final class OperatorAutoConfiguration {

    /** The bean that reconcilers get; another one would not be used by the controllers. */
    static final String CACHE = "reconciler4jCache";

    /** The bean that reconcilers get; another one would not be used by the controllers. */
    static final String CLIENT = "reconciler4jClient";

    private static final String TEST_FRAMEWORK = "org.springframework.boot.test.context.SpringBootTest";

    @Bean
    @ConditionalOnMissingBean
    Config reconciler4jConfig(OperatorProperties properties, ConfigurableApplicationContext context) {
        return ClassUtils.isPresent(TEST_FRAMEWORK, context.getClassLoader()) && !Launch.isStandalone(context)
                ? ClusterConfig.readForTest(properties.client(), properties.autoStartup())
                : ClusterConfig.read(properties.client());
    }

    @Bean
    @ConditionalOnMissingBean
    Scheme reconciler4jScheme() {
        return Scheme.create();
    }

    @Bean
    ReconcilerRegistry reconciler4jReconcilerRegistry(ConfigurableListableBeanFactory beans, Scheme scheme) {
        return ReconcilerRegistry.read(beans, scheme);
    }

    @Bean
    ApplicationIdentity reconciler4jApplicationIdentity(
            Environment environment, ObjectProvider<BuildProperties> build) {
        return ApplicationIdentity.of(environment, build.getIfAvailable());
    }

    /** Closed by the lifecycle, and here too in case the application never started. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Manager reconciler4jManager(
            Config config,
            OperatorProperties properties,
            ApplicationIdentity application,
            Scheme scheme,
            ReconcilerRegistry registry,
            ConfigurableListableBeanFactory beans,
            Environment environment,
            ObjectProvider<OperatorMetrics> metrics,
            ObjectProvider<ReconcileObserver> observers,
            ObjectProvider<ManagerOptionsCustomizer> customizers,
            ObjectProvider<Plan> plan) {
        ManagerOptions options = properties.toManagerOptions(
                application
                        .options()
                        .withScheme(scheme)
                        .withMetrics(metrics.getIfAvailable(() -> OperatorMetrics.NONE)),
                new KindNames(registry.kinds()));
        for (ReconcilerBean reconciler : registry.reconcilers().values()) {
            options = ControllerRegistrar.withStorage(options, reconciler, properties, beans);
        }
        for (ManagerOptionsCustomizer customizer : customizers.orderedStream().toList()) {
            options = customizer.customize(options);
        }
        ControllerCustomizers ofControllers = CustomizerBeans.ofAll(
                        beans,
                        options.componentDefaults(ControllerCustomizers.class).orElse(ControllerCustomizers.none()))
                .withDefaults(common(
                        Threading.VIRTUAL.isActive(environment),
                        observers.orderedStream().toList()))
                .withOverrides(ControllerRegistrar.overrides(properties, registry));
        options = options.withComponentDefaults(ofControllers);
        Plan prepared = plan.getIfAvailable();
        return create(config, prepared == null ? options : prepared.prepare(options));
    }

    private static ControllerCustomizer<ConfigurableController> common(
            boolean virtualThreads, List<ReconcileObserver> observers) {
        return controller -> controller.customizeOptions(options -> {
            List<ReconcileObserver> all = new ArrayList<>(observers);
            if (options.observer() != ReconcileObserver.NONE) {
                all.add(options.observer());
            }
            return options.withVirtualThreads(virtualThreads || options.virtualThreads())
                    .withObserver(ReconcileObserver.all(all));
        });
    }

    private static Manager create(Config config, ManagerOptions options) {
        try {
            return Manager.create(config, options);
        } catch (IllegalArgumentException e) { // for instance if the server of the kubeconfig is not a URL
            throw new OperatorConfigurationException(
                    "The operator cannot be created: " + e.getMessage() + ".",
                    "Correct the kubeconfig (KUBECONFIG or 'reconciler4j.client.kubeconfig'), the Config bean or the"
                            + " options of the manager, whichever contains this value. (R4J-308)",
                    e);
        } catch (IllegalStateException e) {
            boolean election = options.leaderElection()
                    .filter(its -> its.leaseNamespace().isBlank())
                    .isPresent();
            throw OperatorConfigurationException.property(
                    election ? "reconciler4j.leader-election.namespace" : ShardingProperties.LEASE_NAMESPACE,
                    "must be set: " + e.getMessage(),
                    e);
        }
    }

    @Bean(name = CACHE, destroyMethod = "")
    @ConditionalOnMissingBean
    Cache reconciler4jCache(Manager manager) {
        return manager.cache();
    }

    @Bean(name = CLIENT)
    @ConditionalOnMissingBean
    Client reconciler4jClient(Manager manager) {
        return manager.client();
    }

    /** Lazy, because an operator that records no events needs no permissions for them. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    EventRecorder reconciler4jEventRecorder(Manager manager) {
        return manager.recorder();
    }

    /** Not lazy, because the manager runs the installer without a reference from another bean. */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty("reconciler4j.crds.install")
    CrdInstaller reconciler4jCrdInstaller(
            Manager manager, OperatorProperties properties, ResourcePatternResolver resources) {
        return addInstaller(manager, properties, resources, "install");
    }

    /** Definitions that others install, such as a chart: the operator only migrates their objects. */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty(name = "reconciler4j.crds.install", havingValue = false, matchIfMissing = true)
    @ConditionalOnBooleanProperty("reconciler4j.crds.migrate-storage")
    CrdInstaller reconciler4jStorageMigration(
            Manager manager, OperatorProperties properties, ResourcePatternResolver resources) {
        return addInstaller(manager, properties, resources, "migrate-storage");
    }

    private static CrdInstaller addInstaller(
            Manager manager, OperatorProperties properties, ResourcePatternResolver resources, String property) {
        OperatorProperties.Crds crds = properties.requiredCrds();
        List<CustomResourceDefinition> definitions = DefinitionResources.read(resources, crds.locations());
        CrdInstallerOptions options = crds.toOptions();
        try {
            return CrdInstaller.addTo(manager, definitions, options);
        } catch (IllegalArgumentException e) {
            throw OperatorConfigurationException.property(
                    OperatorProperties.Crds.PREFIX + property,
                    "must be false if the application adds an installer to the manager itself: " + e.getMessage(),
                    e);
        }
    }

    @Bean
    @ConditionalOnProperty("reconciler4j.clusters.folder")
    KubeconfigFolder reconciler4jKubeconfigFolder(OperatorProperties properties) {
        OperatorProperties.Clusters clusters = properties.requiredClusters();
        KubeconfigFolder folder = KubeconfigFolder.of(Path.of(Objects.requireNonNull(clusters.folder())));
        return OperatorConfigurationException.set(
                "reconciler4j.clusters.interval", folder, clusters.interval(), KubeconfigFolder::withInterval);
    }

    @Bean
    @ConditionalOnBooleanProperty("reconciler4j.clusters.secrets.enabled")
    KubeconfigSecrets reconciler4jKubeconfigSecrets(Manager manager, OperatorProperties properties, Config config) {
        return properties.requiredClusters().secrets().in(manager, config.getNamespace());
    }

    @Bean
    ControllerRegistrar reconciler4jControllerRegistrar(
            ConfigurableListableBeanFactory beans,
            Manager manager,
            OperatorProperties properties,
            ReconcilerRegistry registry,
            Environment environment) {
        return new ControllerRegistrar(beans, manager, properties, registry, environment);
    }

    @Bean
    @ConditionalOnMissingBean
    ManagerLifecycle reconciler4jManagerLifecycle(
            Manager manager,
            ConfigurableApplicationContext context,
            OperatorProperties properties,
            Environment environment) {
        boolean hasHook = environment.getProperty("spring.main.register-shutdown-hook", Boolean.class, true);
        return new ManagerLifecycle(manager, context, properties, hasHook);
    }
}
