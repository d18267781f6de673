package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.support.DnsNames;
import io.github.reconciler4j.webhook.CertificateSource;
import io.github.reconciler4j.webhook.FileCertificates;
import io.github.reconciler4j.webhook.OwnCertificateOptions;
import io.github.reconciler4j.webhook.OwnCertificates;
import io.github.reconciler4j.webhook.WebhookCleanup;
import io.github.reconciler4j.webhook.WebhookServer;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
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
            WebhookProperties properties, Config config, ObjectProvider<SslBundles> bundles) {
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
        OwnCertificateOptions named = OperatorConfigurationException.fromProperty(
                "reconciler4j.webhook.certificates.secret-name",
                () -> options.withSecretName(text(settings.secretName())));
        String own = text(settings.secretNamespace());
        return OwnCertificates.create(
                StringUtils.hasText(own)
                        ? OperatorConfigurationException.fromProperty(
                                "reconciler4j.webhook.certificates.secret-namespace", () -> named.withNamespace(own))
                        : OperatorConfigurationException.fromProperty(
                                "reconciler4j.webhook.service-namespace",
                                () -> named.withNamespace(namespace(properties, config))));
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
            if (webhooks.isEmpty()) {
                return;
            }
            WebhookServerOptions options =
                    options(properties, manager).withVirtualThreads(Threading.VIRTUAL.isActive(environment));
            if (properties.url() == null) {
                String namespace = namespace(properties, config);
                if (namespace.isEmpty()) {
                    LOG.warn("The webhooks of the application are not served, because the namespace of the operator is"
                            + " unknown: set 'reconciler4j.webhook.service-namespace' to the namespace of the Service, or"
                            + " 'reconciler4j.webhook.url' if the API server can call this machine, or"
                            + " 'reconciler4j.webhook.enabled' to false (R4J-402)");
                    return;
                }
                options = options.withService(service(properties, manager, namespace));
            } else if (certificates instanceof OwnCertificates own
                    && own.options().namespace().isEmpty()) {
                LOG.warn("The webhooks of the application are not served, because the namespace of the operator is"
                        + " unknown: set 'reconciler4j.webhook.certificates.secret-namespace' to the namespace of the Secret"
                        + " with the certificate authority (R4J-403)");
                return;
            }
            WebhookServer.addTo(manager, webhooks, certificates, options);
            LOG.debug("Added a server for the webhooks {}", webhooks.admission());
        };
    }

    /** The manager does not start, see {@link ManagerLifecycle}. */
    @Bean
    @ConditionalOnBooleanProperty(name = "reconciler4j.webhook.clean-up")
    ApplicationRunner reconciler4jWebhookCleanup(
            Manager manager, Webhooks webhooks, WebhookProperties properties, ConfigurableApplicationContext context) {
        return arguments -> {
            WebhookCleanup.run(manager.client(), webhooks, options(properties, manager));
            if (Launch.isStandalone(context)) {
                System.exit(SpringApplication.exit(context));
            }
        };
    }

    /** Returns the options without the Service. */
    private static WebhookServerOptions options(WebhookProperties properties, Manager manager) {
        WebhookServerOptions options = OperatorConfigurationException.fromProperty(
                        "reconciler4j.webhook.port",
                        () -> WebhookServerOptions.defaults().withPort(properties.port()))
                .withHost(text(properties.host()))
                .withApply(properties.applyConfigurations());
        options = OperatorConfigurationException.set(
                "reconciler4j.webhook.configuration-name",
                options,
                StringUtils.hasText(properties.configurationName())
                        ? properties.configurationName()
                        : nameFor("configuration-name", manager.options().name(), DnsNames::checkSubdomain),
                WebhookServerOptions::withConfigurationName);
        options = OperatorConfigurationException.set(
                "reconciler4j.webhook.max-connections",
                options,
                properties.maxConnections(),
                WebhookServerOptions::withMaxConnections);
        options = OperatorConfigurationException.set(
                "reconciler4j.webhook.drain", options, properties.drain(), WebhookServerOptions::withDrain);
        return OperatorConfigurationException.set(
                "reconciler4j.webhook.url", options, properties.url(), WebhookServerOptions::withUrl);
    }

    /** Returns the name that a property has by default: that of the operator, which can be any text. */
    private static String nameFor(String property, String operator, BinaryOperator<String> check) {
        try {
            return check.apply("name", operator);
        } catch (IllegalArgumentException e) {
            throw new OperatorConfigurationException(
                    "The name of the operator, '" + operator
                            + "', cannot be part of the names of webhook configurations and" + " their Service: "
                            + e.getMessage(),
                    "Set 'reconciler4j.webhook." + property + "', or another 'reconciler4j.name' or"
                            + " 'spring.application.name'. (R4J-401)");
        }
    }

    private static WebhookServerOptions.Service service(
            WebhookProperties properties, Manager manager, String namespace) {
        String name = StringUtils.hasText(properties.serviceName())
                ? properties.serviceName()
                : nameFor(
                        "service-name",
                        manager.options().name(),
                        (what, operator) -> DnsNames.checkLabel(what, operator + "-webhook"));
        int port = properties.servicePort();
        OperatorConfigurationException.fromProperty(
                "reconciler4j.webhook.service-port", () -> new WebhookServerOptions.Service("default", "name", port));
        OperatorConfigurationException.fromProperty(
                "reconciler4j.webhook.service-namespace",
                () -> new WebhookServerOptions.Service(namespace, "name", port));
        return OperatorConfigurationException.fromProperty(
                "reconciler4j.webhook.service-name", () -> new WebhookServerOptions.Service(namespace, name, port));
    }

    /** Returns the namespace of the Service, empty if it is unknown, as in a local run without a namespace. */
    private static String namespace(WebhookProperties properties, Config config) {
        return StringUtils.hasText(properties.serviceNamespace())
                ? properties.serviceNamespace()
                : text(config.getNamespace());
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
