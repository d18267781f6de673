package io.github.reconciler4j.spring.autoconfigure.management;

import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.context.reactive.ReactiveWebApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * {@link AutoConfiguration Auto-configuration} that declares the permissions for asking the API server who may access the actuator
 * endpoints, if {@code reconciler4j.management.authorization} is set. An application with a reactive web server does not start with it.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = OperatorAutoConfiguration.class)
@ConditionalOnBean(Manager.class)
@ConditionalOnBooleanProperty("reconciler4j.management.authorization")
public final class ManagementAuthorizationAutoConfiguration {

    /** A component without work, through which the check of permissions and the generated roles know the permissions. */
    static final class Permissions implements ManagedComponent {

        @Override
        public String name() {
            return "management-authorization";
        }

        @Override
        public StartGroup group() {
            return StartGroup.SERVERS;
        }

        @Override
        public List<RequiredPermission> requiredPermissions() {
            return List.of(
                    RequiredPermission.on("authentication.k8s.io", "tokenreviews", "create"),
                    RequiredPermission.on("authorization.k8s.io", "subjectaccessreviews", "create"));
        }

        @Override
        public void start() {}

        @Override
        public void stop(Duration grace) {}
    }

    @Bean
    @Lazy(false)
    Permissions reconciler4jManagementPermissions(Manager manager, ApplicationContext context) {
        if (context instanceof ReactiveWebApplicationContext) {
            throw new InvalidConfigurationPropertyValueException(
                    "reconciler4j.management.authorization",
                    true,
                    "The filter needs a servlet container, and this application has a reactive web server, so the endpoints would"
                            + " stay open. Protect them with Spring Security, or use spring-boot-starter-webmvc. (R4J-324)");
        }
        Permissions permissions = new Permissions();
        manager.add(permissions);
        return permissions;
    }
}
