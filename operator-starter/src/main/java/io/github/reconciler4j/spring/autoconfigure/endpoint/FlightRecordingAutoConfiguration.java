package io.github.reconciler4j.spring.autoconfigure.endpoint;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the actuator endpoint {@code reconciler4jrecording}, which exists once it is
 * exposed and {@code management.endpoint.reconciler4jrecording.access} allows access.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(
        name = {
            "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint",
            "jdk.jfr.Recording"
        })
@ConditionalOnBooleanProperty(name = "reconciler4j.enabled", matchIfMissing = true)
@ConditionalOnAvailableEndpoint(FlightRecordingEndpoint.class)
public final class FlightRecordingAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    FlightRecordingEndpoint reconciler4jRecordingEndpoint() {
        return new FlightRecordingEndpoint();
    }
}
