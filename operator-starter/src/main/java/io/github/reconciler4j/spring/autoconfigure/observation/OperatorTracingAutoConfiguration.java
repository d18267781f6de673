package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.manager.Manager;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration Auto-configuration} that links the spans of reconciliations to the writers of the changes that triggered
 * them, if {@code reconciler4j.tracing.link-annotation} names the annotation in which writers leave their trace context.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        after = OperatorObservationAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration")
@ConditionalOnClass(DefaultTracingObservationHandler.class)
@ConditionalOnBean(DefaultTracingObservationHandler.class)
@ConditionalOnProperty("reconciler4j.tracing.link-annotation")
@ConditionalOnBooleanProperty(name = "reconciler4j.enabled", matchIfMissing = true)
public final class OperatorTracingAutoConfiguration {

    /** Before the default handler of all observations, since the first handler that matches creates the span. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE - 2000)
    LinkingTracingHandler reconciler4jLinkingTracingHandler(
            DefaultTracingObservationHandler spans, ObjectProvider<Manager> manager, Environment environment) {
        return new LinkingTracingHandler(
                spans,
                SingletonSupplier.ofNullable(manager::getIfUnique),
                environment.getRequiredProperty("reconciler4j.tracing.link-annotation"));
    }
}
