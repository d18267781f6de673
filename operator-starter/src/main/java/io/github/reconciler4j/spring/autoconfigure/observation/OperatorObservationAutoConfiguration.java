package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.spring.autoconfigure.ManagerOptionsCustomizer;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.observation.ApiRequestObservationConvention;
import io.github.reconciler4j.spring.observation.ReconcileObservationConvention;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AutoConfiguration Auto-configuration} that observes reconciliations and their requests to the API server with
 * Micrometer. {@code management.observations.enable.reconciler4j=false} turns it off.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        before = OperatorAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnBooleanProperty(name = "reconciler4j.enabled", matchIfMissing = true)
public final class OperatorObservationAutoConfiguration {

    /** After the application's own observers, so that these run within the observation. */
    @Bean
    @Order(ObservedReconciliations.ORDER)
    ReconcileObserver reconciler4jReconcileObservations(
            ObservationRegistry registry, ObjectProvider<ReconcileObservationConvention> convention) {
        return new ObservedReconciliations(registry, convention.getIfAvailable());
    }

    /** The last interceptor, which sees requests as they are sent. */
    @Bean
    @Order
    ManagerOptionsCustomizer reconciler4jApiRequestObservations(
            ObservationRegistry registry, ObjectProvider<ApiRequestObservationConvention> convention) {
        ClientInterceptor observed = new ObservedApiRequests(registry, convention.getIfAvailable());
        return options -> {
            List<ClientInterceptor> all = new ArrayList<>(options.client().interceptors());
            all.add(observed);
            return options.withClient(options.client().withInterceptors(all));
        };
    }

    /** Spring Boot gives each observation to the first handler of meters that supports it; one of the application stays first. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DefaultMeterObservationHandler.class)
    @ConditionalOnSingleCandidate(MeterObservationHandler.class)
    @ConditionalOnBean(
            value = {DefaultMeterObservationHandler.class, MeterRegistry.class},
            name = "defaultMeterObservationHandler")
    static class TimersConfiguration {

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE - 2000)
        ReconcileTimers reconciler4jReconcileTimers(
                @Qualifier("defaultMeterObservationHandler") DefaultMeterObservationHandler meters,
                MeterRegistry registry) {
            return new ReconcileTimers(meters, registry);
        }
    }
}
