package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.Result;
import org.springframework.context.annotation.Bean;

/** A controller that is declared in code. */
class DeclaredBuilder {

    @Bean
    ControllerBuilder<WebPage> pages() {
        return ControllerBuilder.of(WebPage.class)
                .named("pages")
                .owns(Deployment.class)
                .requiredPermissions(RequiredPermission.on(Deployment.class, "create", "patch"))
                .reconciler((page, context) -> Result.done());
    }
}
