package io.github.reconciler4j.sample.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controllers.KubernetesControllers;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Each controller can write as a service account of its own. */
@OperatorTest(
        classes = SampleControllersApplication.class,
        properties = {
            "controllers.use-service-account-credentials=true",
            "reconciler4j.controllers.endpoints.service-account=elsewhere/robot"
        })
class ServiceAccountsTests {

    @Test
    void accountsWhenTheControllersHaveTheirOwnAreNamedAfterThem(@Autowired Manager manager) {
        Map<String, String> accounts = manager.components().stream()
                .filter(Controller.class::isInstance)
                .map(component -> (Controller<?>) component)
                .collect(Collectors.toMap(
                        Controller::name, controller -> controller.options().serviceAccount()));

        assertThat(accounts).containsOnlyKeys(KubernetesControllers.names());
        assertThat(accounts).containsEntry("endpoints", "elsewhere/robot");
        assertThat(accounts.get("deployment")).endsWith("/deployment");
    }
}
