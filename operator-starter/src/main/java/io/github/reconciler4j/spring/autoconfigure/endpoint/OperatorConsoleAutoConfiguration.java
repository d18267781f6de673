package io.github.reconciler4j.spring.autoconfigure.endpoint;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the actuator endpoint {@code reconciler4jconsole}, a page for browsers, which
 * exists once it and the endpoint {@code reconciler4j} are exposed.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = OperatorEndpointAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(OperatorEndpoint.class)
@ConditionalOnAvailableEndpoint(OperatorConsoleEndpoint.class)
public final class OperatorConsoleAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OperatorConsoleEndpoint reconciler4jConsoleEndpoint(EndpointAccessResolver access) {
        return new OperatorConsoleEndpoint(access);
    }
}
