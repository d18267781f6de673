package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;
import org.springframework.context.annotation.Bean;

/** A reconciler that says what it writes. */
class DeclaredPermissions {

    @Bean
    @Reconciler(
            owns = Deployment.class,
            permissions =
                    @Permission(
                            group = "apps",
                            resources = "deployments",
                            verbs = {"create", "patch"}))
    ObjectReconciler<WebPage> pages() {
        return (page, context) -> Result.done();
    }
}
