package io.github.reconciler4j.test.server.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.registry.ServedVersions;
import io.github.reconciler4j.test.server.internal.rest.ActiveWatches;
import io.github.reconciler4j.test.server.internal.rest.DeleteOptions;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.WriteContext;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import io.github.reconciler4j.test.server.internal.webhook.WebhookCaller;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CustomDefinitionsTests {

    private static final WriteContext CONTEXT = WriteContext.internal("test");

    private final VersionedStore store = new VersionedStore(100, (resource, change) -> {});
    private final Registry registry = new Registry(ServedVersions.of(37));
    private final ObjectAccess access = new ObjectAccess(
            store,
            registry,
            Clock.systemUTC(),
            new WebhookCaller((namespace, name, port) -> InetSocketAddress.createUnresolved(name, port)));
    private final ResourceType definitions =
            Objects.requireNonNull(registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions"));

    private static ObjectNode definition() {
        return (ObjectNode) TestJson.of("""
                {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: {name: 'beans.example.com'},
                 spec: {group: 'example.com', scope: 'Namespaced', names: {plural: 'beans', kind: 'Bean'}, versions: [
                  {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}]}}
                """);
    }

    @Test
    void definitionThatIsCreatedAgainBeforeItsRemovalIsHandledIsServed() throws InterruptedException {
        CountDownLatch handled = new CountDownLatch(1);
        access.addHook((type, before, after) -> {
            if (type.equals(definitions) && after == null) {
                access.create(definitions, "", definition(), CONTEXT);
            }
        });
        Lifecycle.Settings settings = new Lifecycle.Settings(false, true, Duration.ZERO);
        try (Lifecycle running = new Lifecycle(access, new ActiveWatches(), settings)) {
            assertThat(running).isNotNull();
            access.addHook((type, before, after) -> {
                if (type.equals(definitions) && after == null) {
                    handled.countDown();
                }
            });
            access.create(definitions, "", definition(), CONTEXT);
            assertThat(registry.find("example.com", "v1", "beans")).isNotNull();

            access.delete(
                    definitions,
                    new ObjectName("", "beans.example.com"),
                    DeleteOptions.propagating("Background"),
                    CONTEXT);

            assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(registry.find("example.com", "v1", "beans")).isNotNull();
        }
    }
}
