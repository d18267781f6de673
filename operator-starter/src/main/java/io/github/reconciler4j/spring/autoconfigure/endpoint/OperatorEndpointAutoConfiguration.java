package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.spring.autoconfigure.ManagerOptionsCustomizer;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerRegistry;
import io.github.reconciler4j.spring.autoconfigure.observation.RunHistory;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the actuator endpoint {@code reconciler4j}, which exists once it is exposed.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = OperatorAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean({Manager.class, ReconcilerRegistry.class})
@ConditionalOnAvailableEndpoint(OperatorEndpoint.class)
public final class OperatorEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OperatorEndpoint reconciler4jEndpoint(Manager manager, ReconcilerRegistry registry, RunHistory history) {
        return new OperatorEndpoint(manager, registry, history);
    }

    @Bean
    RunHistory reconciler4jRunHistory() {
        return new RunHistory();
    }

    @Bean
    ManagerOptionsCustomizer reconciler4jRunHistoryRequests(RunHistory history) {
        return options -> {
            List<ClientInterceptor> all = new ArrayList<>(options.client().interceptors());
            all.add(history.counter());
            return options.withClient(options.client().withInterceptors(all));
        };
    }
}
