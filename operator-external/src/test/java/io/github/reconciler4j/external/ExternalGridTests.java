package io.github.reconciler4j.external;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.external.ExternalResource.Creation;
import io.github.reconciler4j.external.FakeProvider.Thing;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.test.client.FakeClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Each call to the provider and to the API server, each way in which it can fail, at each place of a life: creation, update, another
 * variant, deletion. To add a way to fail, add it to {@link Fault}.
 */
class ExternalGridTests {

    private static final List<String> VERBS = List.of("observe", "create", "update", "delete", "write");
    private static final int PLACES = 5;
    private static final Duration SETTLE = Duration.ofSeconds(30);

    private enum Fault {
        ERROR_BEFORE,
        ERROR_AFTER,
        CRASH_BEFORE,
        CRASH_AFTER,
        LATE
    }

    private static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** One fault in the life of one owner. */
    private static final class Life implements ProviderClient.Way, ClientInterceptor {

        private final ManualTimeSource time = new ManualTimeSource();
        private final FakeProvider provider;
        private final Client client;
        private final String verb;
        private final Fault fault;
        private final String name;
        private int left;
        private boolean met;
        private ExternalResources<ConfigMap, Thing> resources;

        Life(Creation creation, Client client, String verb, Fault fault, int place) {
            this.provider = new FakeProvider(creation, time);
            this.client = client;
            this.verb = verb;
            this.fault = fault;
            this.left = place;
            this.name = (creation + "-" + verb + "-" + fault + "-" + place)
                    .toLowerCase(java.util.Locale.ROOT)
                    .replace('_', '-');
            start();
        }

        private void start() {
            resources = new ExternalResources<>(
                    "thing",
                    new ProviderClient(provider, this),
                    ExternalOptions.defaults().withSettleTime(SETTLE),
                    time);
        }

        private boolean isHere(String call) {
            boolean here = call.equals(verb) && left-- == 0;
            met |= here;
            return here;
        }

        @Override
        public void before(String call) throws Exception {
            if (call.equals("create") || !isHere(call)) {
                return;
            }
            fail(call, true);
            left = 0; // the same call fails after it
        }

        @Override
        public void after(String call) throws Exception {
            if (!call.equals("create") && met && call.equals(verb) && left == 0) {
                left = -1;
                fail(call, false);
            }
        }

        private void fail(String call, boolean before) throws Exception {
            if (fault == (before ? Fault.CRASH_BEFORE : Fault.CRASH_AFTER)) {
                left = -1;
                throw new Crash();
            }
            if (fault == (before ? Fault.ERROR_BEFORE : Fault.ERROR_AFTER)) {
                left = -1;
                throw new IOException("no answer to " + call);
            }
        }

        @Override
        public Thing create(FakeProvider at, ConfigMap owner, ExternalId id) throws Exception {
            if (!isHere("create")) {
                return at.create(owner, id, 0);
            }
            fail("create", true);
            if (fault == Fault.LATE) {
                at.later(SETTLE.toNanos() / 2, () -> at.create(owner, id, SETTLE.toNanos() / 2));
                throw new IOException("timeout");
            }
            Thing created = at.create(owner, id, SETTLE.toNanos());
            fail("create", false);
            return created;
        }

        @Override
        public ApiResponse intercept(ClientCall call, Next next) {
            if (!call.verb().isWrite() || !isHere("write")) {
                return next.proceed(call);
            }
            if (fault == Fault.CRASH_BEFORE) {
                throw new Crash();
            }
            if (fault == Fault.ERROR_BEFORE) {
                throw new IllegalStateException("refused");
            }
            ApiResponse response = next.proceed(call);
            if (fault == Fault.CRASH_AFTER) {
                throw new Crash();
            }
            throw new IllegalStateException("no answer");
        }

        private Optional<ConfigMap> owner() {
            return client.live().get(ConfigMap.class, "default", name);
        }

        /** Live, and return whether the fault was met. */
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
            client.edit(owner().orElseThrow(), owner -> owner.getData().put("variant", "large"));
            untilAvailable();
            client.delete(owner().orElseThrow());
            for (int i = 0; i < 60 && owner().isPresent(); i++) {
                reconcile();
            }
            time.advance(SETTLE.multipliedBy(2));
            provider.arrive();
            assertThat(owner()).as(name).isEmpty();
            assertThat(provider.live()).as(name).isEmpty();
            return met;
        }

        private void untilAvailable() {
            for (int i = 0; i < 60; i++) {
                reconcile();
            }
            ConfigMap owner = owner().orElseThrow();
            assertThat(provider.live()).as(name).singleElement().satisfies(thing -> {
                assertThat(thing.value).isEqualTo(owner.getData().get("value"));
                assertThat(thing.variant).isEqualTo(FakeProvider.data(owner, "variant"));
            });
            assertThat(owner.getMetadata().getAnnotations().get(ExternalHistory.ANNOTATION))
                    .as(name)
                    .contains("\"id\"")
                    .doesNotContain("attempt", "deletion");
        }

        private void reconcile() {
            try {
                resources.reconcile(owner().orElseThrow(), client.intercepted(this));
            } catch (Crash e) {
                start();
            } catch (Exception e) {
                assertThat(e).as(name).isInstanceOfAny(IOException.class, IllegalStateException.class);
            }
            time.advance(Duration.ofSeconds(5));
            provider.arrive();
            assertThat(provider.live()).as(name).hasSizeLessThanOrEqualTo(1);
            answerPerson();
        }

        /** A person says what there is, if nothing else shows it. */
        private void answerPerson() {
            Optional<ConfigMap> owner = owner();
            String text = owner.map(each -> each.getMetadata().getAnnotations())
                    .map(annotations -> annotations.get(ExternalHistory.ANNOTATION))
                    .orElse("");
            if (provider.creation != Creation.UNKNOWN
                    || !text.contains("\"attempt\"")
                    || text.contains("\"id\"")
                    || !provider.isQuiet()) {
                return;
            }
            client.edit(owner.orElseThrow(), changed -> {
                if (provider.live().isEmpty()) {
                    changed.getMetadata().getAnnotations().remove(ExternalHistory.ANNOTATION);
                } else {
                    String id = provider.live().get(0).id;
                    changed.getMetadata().getAnnotations().put(ExternalHistory.ANNOTATION, "{\"id\":\"" + id + "\"}");
                }
            });
        }
    }

    @Test
    void eachCallWhenItFailsInEachWayLeavesOneResourceAndThenNone() {
        List<String> met = new ArrayList<>();
        try (FakeClient client = FakeClient.of()) {
            for (Creation creation : Creation.values()) {
                for (String verb : VERBS) {
                    for (Fault fault : Fault.values()) {
                        for (int place = 0; place < PLACES; place++) {
                            Life life = new Life(creation, client, verb, fault, place);
                            if (life.live()) {
                                met.add(life.name);
                            }
                        }
                    }
                }
            }
        }
        assertThat(met).hasSizeGreaterThan(200);
        for (String verb : VERBS) {
            assertThat(met).as(verb).anyMatch(name -> name.contains("-" + verb + "-crash-after"));
        }
    }
}
