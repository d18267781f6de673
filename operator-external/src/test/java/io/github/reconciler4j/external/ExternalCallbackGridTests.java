package io.github.reconciler4j.external;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.external.ExternalResource.Creation;
import io.github.reconciler4j.external.FakeProvider.Thing;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.test.client.FakeClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Each callback of a resource throws everything that can be thrown, at each place of a life. It is thrown to the caller, and the next
 * reconciliations continue with one resource. The declared exceptions are those of the interface; the others are thrown nevertheless.
 */
class ExternalCallbackGridTests {

    private static final int PLACES = 3;

    private static final List<String> CALLBACKS = List.of(
            "observe",
            "create",
            "update",
            "delete",
            "creation",
            "idOf",
            "isUpToDate",
            "isReady",
            "variant",
            "deletionPolicy",
            "managementPolicy");

    private static final List<Supplier<Throwable>> THROWABLES = List.of(
            () -> new IllegalStateException("from a callback"),
            () -> new IOException("from a callback"),
            () -> new AssertionError("from a callback"),
            StackOverflowError::new,
            () -> new OutOfMemoryError("from a callback"),
            () -> new NoClassDefFoundError("from/Callback"),
            () -> new InterruptedException("from a callback"),
            CustomThrowable::new,
            IndescribableException::new);

    /** Neither an exception nor an error. */
    private static final class CustomThrowable extends Throwable {
        private static final long serialVersionUID = 1L;
    }

    private static final class IndescribableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("it has no message");
        }
    }

    /** Throws at the given call of a callback. */
    private static final class Throwing extends ProviderClient {

        private final String callback;
        private int left;
        private @Nullable Throwable failure;

        Throwing(FakeProvider provider, String callback, int place, Throwable failure) {
            super(provider, new Way() {});
            this.callback = callback;
            this.left = place;
            this.failure = failure;
        }

        private <R> R call(String name, R result) {
            Throwable armed = failure;
            if (armed != null && name.equals(callback) && left-- == 0) {
                failure = null;
                Throwing.<RuntimeException>raise(armed);
            }
            return result;
        }

        @SuppressWarnings("unchecked")
        private static <E extends Throwable> void raise(Throwable failure) throws E {
            throw (E) failure;
        }

        @Override
        public Creation creation() {
            return call("creation", super.creation());
        }

        @Override
        public Optional<Thing> observe(ConfigMap owner, ExternalId id) throws Exception {
            return call("observe", super.observe(owner, id));
        }

        @Override
        public Thing create(ConfigMap owner, ExternalId id) throws Exception {
            return call("create", super.create(owner, id));
        }

        @Override
        public void update(ConfigMap owner, ExternalId id, Thing observed) throws Exception {
            super.update(owner, id, observed);
            call("update", observed);
        }

        @Override
        public void delete(ConfigMap owner, ExternalId id, Thing observed) throws Exception {
            super.delete(owner, id, observed);
            call("delete", observed);
        }

        @Override
        public String idOf(Thing observed) {
            return call("idOf", super.idOf(observed));
        }

        @Override
        public boolean isUpToDate(ConfigMap owner, Thing observed) {
            return call("isUpToDate", super.isUpToDate(owner, observed));
        }

        @Override
        public boolean isReady(Thing observed) {
            return call("isReady", super.isReady(observed));
        }

        @Override
        public String variant(ConfigMap owner) {
            return call("variant", super.variant(owner));
        }

        @Override
        public DeletionPolicy deletionPolicy(ConfigMap owner) {
            return call("deletionPolicy", super.deletionPolicy(owner));
        }

        @Override
        public ManagementPolicy managementPolicy(ConfigMap owner) {
            return call("managementPolicy", super.managementPolicy(owner));
        }
    }

    /** The life of one owner. */
    private static final class Life {

        private final ManualTimeSource time = new ManualTimeSource();
        private final FakeProvider provider;
        private final FakeClient client;
        private final String name;
        private final Throwable failure;
        private final ExternalResources<ConfigMap, Thing> resources;
        private boolean met;

        Life(Creation creation, FakeClient client, String name, String callback, int place, Throwable failure) {
            this.provider = new FakeProvider(creation, time);
            this.client = client;
            this.name = name;
            this.failure = failure;
            this.resources = new ExternalResources<>(
                    "thing",
                    new Throwing(provider, callback, place, failure),
                    ExternalOptions.defaults().withRecorder(new RecordedEvents()),
                    time);
        }

        private Optional<ConfigMap> owner() {
            return client.live().get(ConfigMap.class, "default", name);
        }

        boolean live() {
            client.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName(name)
                    .endMetadata()
                    .addToData("value", "1")
                    .build());
            untilAvailable();
            client.edit(owner().orElseThrow(), owner -> owner.getData().put("value", "2"));
            untilAvailable();
            client.delete(owner().orElseThrow());
            for (int i = 0; i < 40 && owner().isPresent(); i++) {
                reconcile();
            }
            assertThat(owner()).as(name).isEmpty();
            assertThat(provider.live()).as(name).isEmpty();
            return met;
        }

        private void untilAvailable() {
            for (int i = 0; i < 20; i++) {
                reconcile();
            }
            ConfigMap owner = owner().orElseThrow();
            assertThat(provider.live())
                    .as(name)
                    .singleElement()
                    .extracting(thing -> thing.value)
                    .isEqualTo(owner.getData().get("value"));
        }

        private void reconcile() {
            Throwable thrown = null;
            try {
                resources.reconcile(owner().orElseThrow(), client);
            } catch (Throwable e) {
                thrown = e;
            }
            if (thrown != null) {
                assertThat(thrown == failure)
                        .as("%s passes on what was thrown", name)
                        .isTrue();
                assertThat(met).as("%s throws once", name).isFalse();
                met = true;
            }
            time.advance(Duration.ofSeconds(5));
            assertThat(provider.live()).as(name).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void eachCallbackWhenItThrowsAnythingLeavesOneResourceAndThenNone() {
        List<String> met = new ArrayList<>();
        try (FakeClient client = FakeClient.of()) {
            for (Creation creation : List.of(Creation.IDEMPOTENT, Creation.FINDABLE)) {
                for (String callback : CALLBACKS) {
                    for (int place = 0; place < PLACES; place++) {
                        for (int i = 0; i < THROWABLES.size(); i++) {
                            String name = (creation + "-" + callback + "-" + place + "-" + i)
                                    .toLowerCase(java.util.Locale.ROOT);
                            Throwable failure = THROWABLES.get(i).get();
                            if (new Life(creation, client, name, callback, place, failure).live()) {
                                met.add(callback);
                            }
                        }
                    }
                }
            }
        }
        assertThat(met).contains(CALLBACKS.toArray(String[]::new)).hasSizeGreaterThan(400);
    }
}
