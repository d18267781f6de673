package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.webhook.CertificateSource;
import io.github.reconciler4j.webhook.FileCertificates;
import io.github.reconciler4j.webhook.OwnCertificateOptions;
import io.github.reconciler4j.webhook.OwnCertificates;
import io.github.reconciler4j.webhook.WebhookCleanup;
import io.github.reconciler4j.webhook.WebhookServer;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * {@link AutoConfiguration Auto-configuration} of webhooks: a {@link WebhookServer} for the
 * {@link io.github.reconciler4j.webhook.Validator}, {@link io.github.reconciler4j.webhook.Defaulter} and
 * {@link io.github.reconciler4j.webhook.Converter} beans of the application, and for the constraints of Jakarta Validation on the
 * classes of its kinds.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = OperatorAutoConfiguration.class)
@ConditionalOnClass(WebhookServer.class)
@ConditionalOnBooleanProperty(name = "reconciler4j.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WebhookProperties.class)
@Import(ConstraintWebhooks.JakartaConfiguration.class)
public final class WebhookAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    Webhooks reconciler4jWebhooks(
            ConfigurableListableBeanFactory beans,
            ReconcilerRegistry registry,
            ObjectProvider<ConstraintWebhooks> constraints) {
        return WebhookBeans.collect(beans, registry, constraints.getIfAvailable());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty(name = "reconciler4j.webhook.enabled", matchIfMissing = true)
    CertificateSource reconciler4jWebhookCertificates(
            WebhookProperties properties, ObjectProvider<SslBundles> bundles) {
        WebhookProperties.Certificates settings = properties.certificates();
        if (settings.directory() != null && settings.sslBundle() != null) {
            throw OperatorConfigurationException.property(
                    "reconciler4j.webhook.certificates.directory",
                    "must not be set together with 'reconciler4j.webhook.certificates.ssl-bundle'",
                    null);
        }
        if (settings.directory() != null) {
            return FileCertificates.in(settings.directory());
        }
        if (settings.sslBundle() != null) {
            return new BundleCertificates(bundles.getObject(), settings.sslBundle());
        }
        OwnCertificateOptions options = OperatorConfigurationException.fromProperty(
                "reconciler4j.webhook.certificates.certificate-life",
                () -> OwnCertificateOptions.defaults().withLives(settings.authorityLife(), settings.certificateLife()));
        return OwnCertificates.create(
                options.withSecretName(text(settings.secretName())).withNamespace(text(settings.secretNamespace())));
    }

    /** Add the server once all beans exist, before the manager starts. */
    @Bean
    @ConditionalOnBooleanProperty(name = "reconciler4j.webhook.enabled", matchIfMissing = true)
    SmartInitializingSingleton reconciler4jWebhookRegistrar(
            Manager manager,
            Webhooks webhooks,
            CertificateSource certificates,
            WebhookProperties properties,
            Config config,
            Environment environment) {
        return () -> {
            if (!webhooks.isEmpty()) {
                boolean virtual = Threading.VIRTUAL.isActive(environment);
                WebhookServer.addTo(
                        manager,
                        webhooks,
                        certificates,
                        options(properties, manager, config).withVirtualThreads(virtual));
                LOG.debug("Added a server for the webhooks {}", webhooks.admission());
            }
        };
    }

    /** The manager does not start, see {@link ManagerLifecycle}. */
    @Bean
    @ConditionalOnBooleanProperty(name = "reconciler4j.webhook.clean-up")
    ApplicationRunner reconciler4jWebhookCleanup(
            Manager manager,
            Webhooks webhooks,
            WebhookProperties properties,
            Config config,
            ConfigurableApplicationContext context) {
        return arguments -> {
            WebhookCleanup.run(manager.client(), webhooks, options(properties, manager, config));
            if (Launch.isStandalone(context)) {
                System.exit(SpringApplication.exit(context));
            }
        };
    }

    private static WebhookServerOptions options(WebhookProperties properties, Manager manager, Config config) {
        WebhookServerOptions options = OperatorConfigurationException.fromProperty(
                        "reconciler4j.webhook.port",
                        () -> WebhookServerOptions.defaults().withPort(properties.port()))
                .withHost(text(properties.host()))
                .withConfigurationName(
                        StringUtils.hasText(properties.configurationName())
                                ? properties.configurationName()
                                : manager.options().name())
                .withApply(properties.applyConfigurations());
        options = OperatorConfigurationException.set(
                "reconciler4j.webhook.max-connections",
                options,
                properties.maxConnections(),
                WebhookServerOptions::withMaxConnections);
        options = OperatorConfigurationException.set(
                "reconciler4j.webhook.drain", options, properties.drain(), WebhookServerOptions::withDrain);
        return properties.url() != null
                ? OperatorConfigurationException.set(
                        "reconciler4j.webhook.url", options, properties.url(), WebhookServerOptions::withUrl)
                : options.withService(service(properties, manager, config));
    }

    private static WebhookServerOptions.Service service(WebhookProperties properties, Manager manager, Config config) {
        String namespace = StringUtils.hasText(properties.serviceNamespace())
                ? properties.serviceNamespace()
                : config.getNamespace();
        if (!StringUtils.hasText(namespace)) {
            throw OperatorConfigurationException.property(
                    "reconciler4j.webhook.service-namespace",
                    "must be set, because the namespace of the operator is unknown",
                    null);
        }
        String name = StringUtils.hasText(properties.serviceName())
                ? properties.serviceName()
                : manager.options().name() + "-webhook";
        return new WebhookServerOptions.Service(namespace, name, properties.servicePort());
    }

    private static String text(@org.jspecify.annotations.Nullable String value) {
        return value == null ? "" : value;
    }
}
