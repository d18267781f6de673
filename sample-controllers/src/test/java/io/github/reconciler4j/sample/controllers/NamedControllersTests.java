package io.github.reconciler4j.sample.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** A test that names controllers runs no others. */
@OperatorTest(controllers = {"deployment", "replicaset"})
class NamedControllersTests {

    private static final Set<String> ALL = Set.of("deployment", "replicaset", "endpoints", "endpointslice");

    @Test
    void othersDoNotRun(@Autowired Manager manager) {
        assertThat(manager.status().components())
                .extracting(ComponentState::name)
                .filteredOn(ALL::contains)
                .containsExactlyInAnyOrder("deployment", "replicaset");
    }
}
