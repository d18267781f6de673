package io.github.reconciler4j.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.external.ExternalResource.Creation;
import io.github.reconciler4j.external.ExternalResult.State;
import io.github.reconciler4j.external.FakeProvider.Thing;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.test.client.FakeClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/external.md promises, one by one. */
class ExternalResourcesTests implements ProviderClient.Way {

    private static final String ANNOTATION = ExternalHistory.ANNOTATION;
    private static final ExternalOptions OPTIONS = ExternalOptions.defaults();

    private final FakeClient client = FakeClient.of();
    private final ManualTimeSource time = new ManualTimeSource();
    private final List<String> calls = new ArrayList<>();
    private FakeProvider provider = new FakeProvider(Creation.IDEMPOTENT, time);
    private ExternalResources<ConfigMap, Thing> resources;
    private Exception failure;
    private String inRecord = "";

    @BeforeEach
    void create() {
        client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("owner")
                .endMetadata()
                .addToData("value", "1")
                .build());
        start(Creation.IDEMPOTENT);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private void start(Creation creation) {
        if (provider.creation != creation) {
            provider = new FakeProvider(creation, time);
        }
        resources = new ExternalResources<>("thing", new ProviderClient(provider, this), OPTIONS, time);
    }

    @Override
    public void before(String verb) throws Exception {
        calls.add(verb);
        if (verb.equals("create")) {
            inRecord = record();
            if (failure != null) {
                throw failure;
            }
        }
    }

    private ConfigMap owner() {
        return client.live().get(ConfigMap.class, "default", "owner").orElseThrow();
    }

    private String record() {
        return owner().getMetadata().getAnnotations().getOrDefault(ANNOTATION, "");
    }

    private ExternalResult<Thing> reconcile() throws Exception {
        return resources.reconcile(owner(), client);
    }

    private void edit(Consumer<ConfigMap> change) {
        client.edit(owner(), change);
    }

    @Test
    void createWhenItIsCalledFindsKeyAndFinalizerOnTheOwner() throws Exception {
        ExternalResult<Thing> result = reconcile();

        assertThat(inRecord)
                .contains("\"key\":\"thing-" + owner().getMetadata().getUid() + "\"", "\"attempt\"")
                .doesNotContain("\"id\"");
        assertThat(result.state()).isEqualTo(State.AVAILABLE);
        assertThat(result.id()).contains("thing-1");
        assertThat(record()).contains("\"id\":\"thing-1\"").doesNotContain("attempt");
        assertThat(owner().getMetadata().getFinalizers()).contains(ANNOTATION);
    }

    @Test
    void reconcileWhenTheResourceIsAsItShouldBeSendsNothing() throws Exception {
        reconcile();
        String version = owner().getMetadata().getResourceVersion();
        calls.clear();

        Result result = reconcile().toResult();

        assertThat(calls).containsExactly("observe");
        assertThat(owner().getMetadata().getResourceVersion()).isEqualTo(version);
        assertThat(result.delay()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11));
    }

    @Test
    void reconcileWhenTheOwnerIsLateCallsNothing() throws Exception {
        ConfigMap late = owner();
        edit(owner -> owner.getData().put("value", "2"));

        assertThatThrownBy(() -> resources.reconcile(late, client)).isInstanceOf(ConflictException.class);
        assertThat(calls).containsExactly("observe");
    }

    @Test
    void reconcileWhenTheOwnerWasDeletedMeanwhileCreatesNothing() throws Exception {
        edit(owner -> owner.getMetadata().setFinalizers(List.of("example.com/other")));
        ConfigMap late = owner();
        client.delete(late);

        assertThatThrownBy(() -> resources.reconcile(late, client)).isInstanceOf(ConflictException.class);
        assertThat(provider.created()).isZero();
    }

    @Test
    void reconcileWhenTheResourceDiffersUpdatesIt() throws Exception {
        reconcile();
        edit(owner -> owner.getData().put("value", "2"));

        assertThat(reconcile().toResult()).isEqualTo(Result.requeueAfter(OPTIONS.waitInterval()));
        assertThat(provider.live())
                .singleElement()
                .extracting(thing -> thing.value)
                .isEqualTo("2");
    }

    @Test
    void resourceWhenItIsGoneIsCreatedAgainAfterTwiceTheSettleTime() throws Exception {
        reconcile();
        reconcile();
        provider.live().forEach(thing -> thing.deleted = true);

        assertThat(reconcile().state()).isEqualTo(State.NOT_FOUND);
        for (int i = 0; i < 11; i++) {
            time.advance(Duration.ofSeconds(5));
            assertThat(reconcile().state()).isEqualTo(State.NOT_FOUND);
        }
        time.advance(Duration.ofSeconds(5));
        assertThat(reconcile().state()).isEqualTo(State.AVAILABLE);
        assertThat(provider.created()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Creation.class)
    void creationWhenNothingWasCreatedIsRepeatedAtOnce(Creation creation) throws Exception {
        start(creation);
        failure = new TerminalException("the quota is used up");
        assertThatThrownBy(this::reconcile).isSameAs(failure);
        assertThat(record()).doesNotContain("attempt");
        failure = null;

        assertThat(reconcile().state()).isEqualTo(State.AVAILABLE);
    }

    @Test
    void creationWhenTheAnswerIsLostAndNobodyCanKnowAsksAPerson() throws Exception {
        start(Creation.UNKNOWN);
        failure = new IOException("no answer");
        assertThatThrownBy(this::reconcile).isSameAs(failure);
        failure = null;
        time.advance(Duration.ofHours(1));
        start(Creation.UNKNOWN);

        ExternalResult<Thing> result = reconcile();

        assertThat(result.state()).isEqualTo(State.STALLED);
        assertThat(result.message()).contains("R4J-280");
        assertThat(result.toResult()).isEqualTo(Result.done());
        List<Condition> conditions = new ArrayList<>();
        result.report(Conditions.of(conditions, owner()));
        assertThat(conditions).extracting(Condition::getType).containsExactly("Ready", "Stalled");
        assertThat(provider.created()).isZero();

        edit(owner -> owner.getMetadata().getAnnotations().remove(ANNOTATION));
        assertThat(reconcile().state()).isEqualTo(State.AVAILABLE);
    }

    @Test
    void ownerWhenDeletedStaysUntilTheResourceIsGone() throws Exception {
        reconcile();
        client.delete(owner());

        assertThat(reconcile().toCleanupResult()).isEqualTo(CleanupResult.notYet(OPTIONS.waitInterval()));
        assertThat(provider.live()).isEmpty();
        assertThat(reconcile().toCleanupResult()).isEqualTo(CleanupResult.done());
        assertThat(client.live().get(ConfigMap.class, "default", "owner")).isEmpty();
    }

    /** The creation whose answer was lost is carried out after the resource of its repetition was deleted. */
    @Test
    void resourceThatALateCreationMakesAgainIsDeleted() throws Exception {
        failure = new IOException("no answer");
        assertThatThrownBy(this::reconcile).isSameAs(failure);
        failure = null;
        reconcile();
        client.delete(owner());
        reconcile();
        String key = "thing-" + owner().getMetadata().getUid();
        provider.create(owner(), new ExternalId(key, "", ""), 0);

        for (int i = 0; i < 30 && exists(); i++) {
            time.advance(Duration.ofSeconds(5));
            reconcile();
        }

        assertThat(provider.created()).isEqualTo(2);
        assertThat(provider.live()).isEmpty();
        assertThat(exists()).isFalse();
    }

    private boolean exists() {
        return client.live().get(ConfigMap.class, "default", "owner").isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"orphan", "observe"})
    void ownerWhenDeletedLeavesTheResourceIfThePolicySaysSo(String policy) throws Exception {
        reconcile();
        edit(owner -> owner.getData().put(policy, "true"));
        client.delete(owner());

        assertThat(reconcile().state()).isEqualTo(State.RELEASED);
        assertThat(provider.live()).hasSize(1);
        assertThat(client.live().get(ConfigMap.class, "default", "owner")).isEmpty();
    }

    @Test
    void observeOnlyWhenNothingIsThereChangesNothing() throws Exception {
        edit(owner -> owner.getData().put("observe", "true"));
        String version = owner().getMetadata().getResourceVersion();

        assertThat(reconcile().state()).isEqualTo(State.NOT_FOUND);
        assertThat(calls).containsExactly("observe");
        assertThat(owner().getMetadata().getResourceVersion()).isEqualTo(version);
    }

    @Test
    void variantWhenChangedReplacesTheResource() throws Exception {
        reconcile();
        edit(owner -> owner.getData().put("variant", "large"));

        assertThat(reconcile().state()).isEqualTo(State.DELETING);
        assertThat(reconcile().toResult()).isEqualTo(Result.requeueAfter(Duration.ZERO));
        assertThat(reconcile().state()).isEqualTo(State.AVAILABLE);
        assertThat(provider.live())
                .singleElement()
                .satisfies(thing -> assertThat(thing.key).endsWith("-large"));
    }

    @Test
    void recordWhenCopiedToAnotherOwnerIsRefused() throws Exception {
        reconcile();
        String copied = record();
        client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("copy")
                .addToAnnotations(ANNOTATION, copied)
                .addToFinalizers(ANNOTATION)
                .endMetadata()
                .build());
        ConfigMap copy = client.live().get(ConfigMap.class, "default", "copy").orElseThrow();

        assertThat(resources.reconcile(copy, client).message()).contains("R4J-281");
        assertThat(provider.live()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[]", "7", "null", "{\"id\":7}", "{\"id\":{}}", "{\"id\":null}", "secret"})
    void recordWhenUnreadableIsRefusedWithoutItsText(String text) throws Exception {
        edit(owner -> owner.getMetadata().setAnnotations(java.util.Map.of(ANNOTATION, text)));

        ExternalResult<Thing> result = reconcile();

        assertThat(result.state()).isEqualTo(State.STALLED);
        assertThat(result.message()).contains("R4J-282").doesNotContain("secret");
        assertThat(calls).isEmpty();
    }

    @Test
    void recordWhenRemovedIsFoundAgainByTheKey() throws Exception {
        reconcile();
        edit(owner -> {
            owner.getMetadata().getAnnotations().remove(ANNOTATION);
            owner.getMetadata().setFinalizers(List.of());
        });

        assertThat(reconcile().id()).contains("thing-1");
        assertThat(owner().getMetadata().getFinalizers()).contains(ANNOTATION);
        assertThat(provider.created()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bucket", "a b", "-", "bucket-", "a-name-that-is-too-long"})
    void nameWhenItCannotBePartOfAKeyIsRefused(String name) {
        assertThatThrownBy(() -> ExternalResources.create(name, new ProviderClient(provider, this)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'name'");
    }

    @Test
    void optionsWhenOutOfRangeAreRefused() {
        assertThatThrownBy(() -> OPTIONS.withDriftInterval(Duration.ZERO)).hasMessageContaining("'driftInterval'");
        assertThatThrownBy(() -> OPTIONS.withWaitInterval(Duration.ofSeconds(-1)))
                .hasMessageContaining("'waitInterval'");
        assertThatThrownBy(() -> OPTIONS.withSettleTime(Duration.ofSeconds(-1))).hasMessageContaining("'settleTime'");
    }
}
