package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.spring.LeadershipEvent;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** What the application learns of leadership and failures. */
class OperatorEventsTests extends RunningOperatorFixture {

    @Test
    void startWhenTheApiServerDoesNotAnswerFailsAndLeavesNothing() {
        assertThatThrownBy(() -> run(unreachable(), "--reconciler4j.api-server-timeout=1s"))
                .hasStackTraceContaining("https://127.0.0.1:1");
        assertThat(contexts)
                .singleElement()
                .satisfies(context -> assertThat(context.isActive()).isFalse());
        eventually("no thread").untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void managerWhenItFailsLaterMarksTheApplicationBrokenAndClosesIt() {
        ConfigurableApplicationContext context = run(server.clientConfig());
        Operator operator = operator(context);
        Manager manager = context.getBean(Manager.class);
        manager.fail("the press", new IllegalStateException("out of paper"));
        eventually("closed").until(() -> !context.isActive());
        assertThat(operator.failures).singleElement().satisfies(event -> {
            assertThat(event.manager()).isSameAs(manager);
            assertThat(event.cause()).hasMessageContaining("the press failed: out of paper");
        });
        eventually("resources are stopped").until(() -> journal.contains("resource stopped"));
        assertThat(journal)
                .containsExactly(
                        "CORRECT", "CORRECT", "ACCEPTING_TRAFFIC", "BROKEN", "REFUSING_TRAFFIC", "resource stopped");
        eventually("no thread").untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void leadershipWhenThereIsNoElectionIsPublishedOnceStarted() {
        ConfigurableApplicationContext context = run(server.clientConfig());
        assertThat(operator(context).leadership)
                .containsExactly(new LeadershipEvent(context.getBean(Manager.class), "", true, ""));
    }

    @Test
    void leadershipWhenTheLeaseIsStolenIsPublishedAsLostAndEndsTheOperator() {
        ConfigurableApplicationContext context = run(
                server.clientConfig(),
                "--reconciler4j.leader-election.enabled=true",
                "--reconciler4j.leader-election.namespace=default",
                "--reconciler4j.leader-election.lease-duration=60s",
                "--reconciler4j.leader-election.renew-deadline=40s",
                "--reconciler4j.leader-election.retry-period=500ms");
        Operator operator = operator(context);
        Manager manager = context.getBean(Manager.class);
        eventually("it leads").until(() -> operator.leadership.size() == 1);
        try (ApiConnection thief = ApiConnection.open(server.clientConfig())) {
            Client.create(thief, Scheme.create(), ClientOptions.defaults())
                    .patch(
                            Kind.of(Lease.class),
                            ObjectKey.of("default", "lifecycle"),
                            ObjectPatch.merge(Map.of("spec", Map.of("holderIdentity", "thief"))),
                            WriteOptions.defaults());
            eventually("closed").until(() -> !context.isActive());
        }
        assertThat(operator.leadership)
                .extracting(event -> event.lease() + " " + event.leading() + " " + event.reason())
                .containsExactly(" true ", " false it is held by thief now");
        assertThat(operator.failures)
                .singleElement()
                .satisfies(event -> assertThat(event.cause()).hasMessageContaining("was lost"));
        assertThat(journal).contains("BROKEN");
        assertThat(manager.status().leader()).isFalse();
    }
}
