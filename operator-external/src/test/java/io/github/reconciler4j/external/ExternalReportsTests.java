package io.github.reconciler4j.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.external.ExternalResource.Creation;
import io.github.reconciler4j.external.FakeProvider.Thing;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.test.client.FakeClient;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What events and metrics say of a resource, and which ids it can have. */
class ExternalReportsTests {

    private final FakeClient client = FakeClient.of();
    private final ManualTimeSource time = new ManualTimeSource();
    private final FakeProvider provider = new FakeProvider(Creation.IDEMPOTENT, time);
    private final RecordedEvents events = new RecordedEvents();
    private final RecordingMetrics metrics = new RecordingMetrics();
    private final ExternalOptions options =
            ExternalOptions.defaults().withRecorder(events).withMetrics(metrics);
    private Set<String> failing = Set.of();
    private @Nullable String id;
    private String askedId = "";

    private final ExternalResources<ConfigMap, Thing> resources =
            new ExternalResources<>("thing", new Client(), options, time);

    private final class Client extends ProviderClient {

        Client() {
            super(provider, new Way() {
                @Override
                public void before(String verb) throws Exception {
                    if (failing.contains(verb)) {
                        throw new IOException("no quota\nfor you");
                    }
                }
            });
        }

        @Override
        public Optional<Thing> observe(ConfigMap owner, ExternalId external) throws Exception {
            askedId = external.id();
            return super.observe(owner, new ExternalId(external.key(), "", external.variant()));
        }

        @Override
        public String idOf(Thing observed) {
            return id == null ? super.idOf(observed) : id;
        }
    }

    @BeforeEach
    void create() {
        client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("owner")
                .endMetadata()
                .addToData("value", "1")
                .build());
    }

    @AfterEach
    void close() {
        client.close();
    }

    private ConfigMap owner() {
        return client.live().get(ConfigMap.class, "default", "owner").orElseThrow();
    }

    private void edit(Consumer<ConfigMap> change) {
        client.edit(owner(), change);
    }

    private ExternalResult<Thing> reconcile() throws Exception {
        return resources.reconcile(owner(), client);
    }

    private double calls(String call, String result) {
        return metrics.count(
                "reconciler4j_external_calls_total{resource=thing,call=" + call + ",result=" + result + "}");
    }

    @Test
    void callsAreCounted() throws Exception {
        reconcile();
        edit(owner -> owner.getData().put("value", "2"));
        reconcile();
        failing = Set.of("observe");
        assertThatThrownBy(this::reconcile).isInstanceOf(IOException.class);
        failing = Set.of();
        client.delete(owner());
        reconcile();
        reconcile();

        assertThat(calls("create", "success")).isEqualTo(1);
        assertThat(calls("update", "success")).isEqualTo(1);
        assertThat(calls("observe", "success")).isEqualTo(4);
        assertThat(calls("observe", "error")).isEqualTo(1);
        assertThat(calls("delete", "success")).isEqualTo(1);
        assertThat(calls("delete", "error")).isZero();
        assertThat(metrics.count("reconciler4j_external_orphans_total{resource=thing}"))
                .isZero();
    }

    @Test
    void eventsTellTheLifeOfAResource() throws Exception {
        reconcile();
        client.delete(owner());
        reconcile();
        reconcile();

        assertThat(events.lines)
                .containsExactly(
                        "Normal Created Create: Created thing thing-1", "Normal Deleted Delete: Deleted thing thing-1");
    }

    @Test
    void eventsTellOfFailures() throws Exception {
        failing = Set.of("create");
        assertThatThrownBy(this::reconcile).isInstanceOf(IOException.class);
        failing = Set.of();
        reconcile();
        edit(owner -> owner.getData().put("value", "2"));
        failing = Set.of("update", "delete");
        assertThatThrownBy(this::reconcile).isInstanceOf(IOException.class);
        client.delete(owner());
        assertThatThrownBy(this::reconcile).isInstanceOf(IOException.class);

        assertThat(events.lines)
                .contains(
                        "Warning CreationFailed Create: Creating the thing failed: no quota\\nfor you",
                        "Warning UpdateFailed Update: Updating the thing failed: no quota\\nfor you",
                        "Warning DeletionFailed Delete: Deleting the thing failed: no quota\\nfor you");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orphan", "observe"})
    void resourceThatStaysIsReported(String policy) throws Exception {
        reconcile();
        edit(owner -> owner.getData().put(policy, "true"));
        client.delete(owner());
        reconcile();

        assertThat(events.lines).contains("Normal Orphaned Delete: thing thing-1 stays at the provider");
        assertThat(metrics.count("reconciler4j_external_orphans_total{resource=thing}"))
                .isEqualTo(1);
    }

    static Stream<String> storedIds() {
        return Stream.of(
                "arn:aws:s3:::b/17/..//x",
                "\ud83d\ude80\u00e9\u4e2d",
                "x".repeat(10_000),
                "\u0001".repeat(10_000),
                "a\nb\r\t\u0000\u007f\u2028\u202e",
                "\"}, {\"owner\": \"",
                "a  b");
    }

    @ParameterizedTest
    @MethodSource("storedIds")
    void idComesBackAsItWas(String text) throws Exception {
        id = text;
        reconcile();

        ExternalResult<Thing> result = reconcile();

        assertThat(askedId).isEqualTo(text);
        assertThat(result.id()).contains(text);
        assertThat(result.message()).hasSizeLessThan(2_000).doesNotContain("\n", "\u0000");
        assertThat(events.lines)
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(2_000).doesNotContain("\n"));
        client.delete(owner());
        reconcile();
        assertThat(reconcile().state()).isEqualTo(ExternalResult.State.RELEASED);
        assertThat(provider.created()).isEqualTo(1);
    }

    static Stream<String> refusedIds() {
        return Stream.of("", " ", "\n", " a", "a\n", "\ud83d", "x".repeat(10_001));
    }

    @ParameterizedTest
    @MethodSource("refusedIds")
    void idThatCannotBeStoredIsRefused(String text) throws Exception {
        id = text;
        assertThatThrownBy(this::reconcile)
                .hasMessageContaining("idOf of resource 'thing' must return an id that")
                .hasMessageContaining("R4J-283")
                .hasMessageNotContaining("\n");
        assertThat(provider.created()).isEqualTo(1);

        id = null;
        assertThat(reconcile().id()).contains("thing-1");
        assertThat(provider.created()).isEqualTo(1);
    }
}
