package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerDefaults;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Scheme;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of an operator: a {@link Manager} with what it owns as beans, a controller
 * for each {@link io.github.reconciler4j.spring.Reconciler} bean, and a lifecycle that starts and stops it all with the
 * application. Any bean of one's own takes the place of the one here.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(Manager.class)
@ConditionalOnBooleanProperty(name = "reconciler4j.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OperatorProperties.class)
public final class OperatorAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Config reconciler4jConfig(OperatorProperties properties) {
        return ClientConfigs.read(properties.getClient());
    }

    @Bean
    @ConditionalOnMissingBean
    Scheme reconciler4jScheme() {
        return Scheme.create();
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
            Environment environment,
            ObjectProvider<OperatorMetrics> metrics,
            ObjectProvider<ControllerDefaults> defaults,
            ObjectProvider<ManagerOptionsCustomizer> customizers) {
        ManagerOptions options = properties.toManagerOptions(application
                .options()
                .withScheme(scheme)
                .withMetrics(metrics.getIfAvailable(() -> OperatorMetrics.NONE)));
        for (ManagerOptionsCustomizer customizer : customizers.orderedStream().toList()) {
            options = customizer.customize(options);
        }
        boolean virtualThreads = Threading.VIRTUAL.isActive(environment);
        return create(
                config,
                options.withComponentDefaults(controllerDefaults(options, defaults, properties, virtualThreads)));
    }

    /**
     * The properties for all controllers, then what a customizer has set, a bean, and the defaults of the framework. They
     * apply to controllers that are added by hand, too.
     */
    private static ControllerDefaults controllerDefaults(
            ManagerOptions options,
            ObjectProvider<ControllerDefaults> bean,
            OperatorProperties properties,
            boolean virtualThreads) {
        ControllerDefaults defaults = options.componentDefaults(ControllerDefaults.class)
                .orElseGet(() -> bean.getIfAvailable(() -> ControllerDefaults.of(ControllerOptions.defaults())));
        ControllerOptions common = virtualThreads ? defaults.options().withVirtualThreads(true) : defaults.options();
        return defaults.withOptions(properties.getAllControllers().applyTo(common, "reconciler4j.all-controllers"));
    }

    private static Manager create(Config config, ManagerOptions options) {
        try {
            return Manager.create(config, options);
        } catch (IllegalStateException e) {
            throw new InvalidOperatorPropertyException(
                    "reconciler4j.leader-election.namespace", "must be set here: " + e.getMessage(), e);
        }
    }

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    Cache reconciler4jCache(Manager manager) {
        return manager.cache();
    }

    @Bean
    @ConditionalOnMissingBean
    Client reconciler4jClient(Manager manager) {
        return manager.client();
    }

    @Bean
    @ConditionalOnMissingBean
    EventRecorder reconciler4jEventRecorder(Manager manager) {
        return manager.recorder();
    }

    @Bean
    ControllerRegistrar reconciler4jControllerRegistrar(
            ConfigurableListableBeanFactory beans,
            Manager manager,
            OperatorProperties properties,
            OperatorControllers controllers) {
        return new ControllerRegistrar(beans, manager, properties, controllers);
    }

    @Bean
    OperatorControllers reconciler4jControllers() {
        return new OperatorControllers();
    }

    @Bean
    @ConditionalOnMissingBean
    ManagerLifecycle reconciler4jManagerLifecycle(
            Manager manager,
            ConfigurableApplicationContext context,
            OperatorProperties properties,
            Environment environment) {
        boolean hasHook = environment.getProperty("spring.main.register-shutdown-hook", Boolean.class, true);
        return new ManagerLifecycle(manager, context, properties.isAutoStartup(), hasHook);
    }
}
