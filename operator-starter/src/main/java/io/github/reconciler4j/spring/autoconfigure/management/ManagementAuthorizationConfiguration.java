package io.github.reconciler4j.spring.autoconfigure.management;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.support.TimeSource;
import jakarta.servlet.Filter;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link ManagementContextConfiguration Management configuration} that lets the API server decide who may access the actuator
 * endpoints, on the port of the application and on a port of their own.
 *
 * @since 0.1.0
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(Filter.class)
@ConditionalOnBooleanProperty("reconciler4j.management.authorization")
public class ManagementAuthorizationConfiguration {

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE + 1)
    AccessReviewFilter reconciler4jAccessReviewFilter(Manager manager, WebEndpointProperties endpoints) {
        return new AccessReviewFilter(
                new AccessReviews(manager.home().connection(), TimeSource.system()),
                endpoints.getBasePath().replaceAll("/+$", ""),
                endpoints.getPathMapping());
    }
}
