package io.github.reconciler4j.spring.autoconfigure.metrics;

import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.metrics.ProcessMetrics;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} that records the metrics of the operator with Micrometer.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        before = OperatorAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "reconciler4j.enabled", matchIfMissing = true)
public final class OperatorMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OperatorMetrics reconciler4jMetrics(MeterRegistry registry) {
        return new MicrometerMetrics(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    ProcessMetrics reconciler4jProcessMetrics() {
        return new ProcessMetrics();
    }
}
