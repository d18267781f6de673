package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * The sample operator.
 *
 * @since 0.1.0
 */
@SpringBootApplication
public class SampleOperatorApplication {

    /** Reconciles a WebApp when its Secret changes, unless the operator has no permission to read Secrets. */
    @Bean
    @ConditionalOnBooleanProperty(name = "sample.secrets.enabled", matchIfMissing = true)
    static ControllerCustomizer<ControllerBuilder<WebApp>> secretWatch() {
        return controller -> controller
                .references(Secret.class, "secretName", SampleOperatorApplication::secretOf)
                .requiredPermissions(RequiredPermission.on(Secret.class, "get"));
    }

    private static List<String> secretOf(WebApp app) {
        String name = app.getSpec().getSecretName();
        return name == null ? List.of() : List.of(name);
    }

    /** Start the application. */
    public static void main(String[] arguments) {
        SpringApplication.run(SampleOperatorApplication.class, arguments);
    }
}
