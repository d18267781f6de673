package io.github.reconciler4j.external;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.external.ExternalRandomTests.Counts;
import io.github.reconciler4j.external.ExternalResource.Creation;
import io.github.reconciler4j.external.ExternalResult.State;
import io.github.reconciler4j.external.FakeProvider.Thing;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.reconcile.RequeueException;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A random history of one owner and its resource. Two processes reconcile it, each with an old or a new state of the owner, and one can
 * be paused in any call while the other works. Processes end, requests and answers are lost or late at both servers, and users change
 * the owner, its policies and its variant, and delete it or its resource.
 */
final class ExternalHistory {

    private static final String NAMESPACE = "default";
    static final String ANNOTATION = "reconciler4j.io/external-thing";

    /** Settle time of the processes; the delay of requests and of what is seen is within it. */
    private static final Duration SETTLE = Duration.ofSeconds(30);

    private static final ExternalOptions OPTIONS = ExternalOptions.defaults().withSettleTime(SETTLE);
    private static final int STEPS = 30;
    private static final int CALM_ROUNDS = 60;
    /** The process ends. */
    private static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash", null, false, false);
        }
    }

    private final Random random;
    private final ManualTimeSource time = new ManualTimeSource();
    private final FakeProvider provider;
    private final Client client;
    private final Counts counts;
    private final ObjectKey key;
    private final String uid;
    private final Process[] processes;
    private final List<ConfigMap> states = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    private boolean calm;
    private boolean paused;
    private int leavings;
    private int writes;

    ExternalHistory(long seed, Client client, Counts counts) {
        this.random = new Random(seed * 31 + 17);
        this.client = client;
        this.counts = counts;
        this.provider = new FakeProvider(Creation.values()[Math.floorMod(seed, 3)], time);
        processes = new Process[] {new Process("A"), new Process("B")};
        ConfigMap owner = client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("owner-" + seed)
                .endMetadata()
                .addToData("value", "0")
                .build());
        key = ObjectKey.of(NAMESPACE, "owner-" + seed);
        uid = owner.getMetadata().getUid();
        remember();
    }

    /** A process with the calls that it makes. */
    private final class Process implements ProviderClient.Way, ClientInterceptor {

        private final String name;
        private ExternalResources<ConfigMap, Thing> resources = start();
        private ConfigMap view;
        private int leavingsAtCall;
        private long calledAt;

        Process(String name) {
            this.name = name;
        }

        private ExternalResources<ConfigMap, Thing> start() {
            return new ExternalResources<>("thing", new ProviderClient(provider, this), OPTIONS, time);
        }

        /** Reconcile once; return the result, or null after a failure. */
        ExternalResult<Thing> reconcile(ConfigMap owner) {
            view = owner;
            try {
                ExternalResult<Thing> result = resources.reconcile(owner, client.intercepted(this));
                log.add(name + " " + owner.getMetadata().getResourceVersion() + " -> " + result);
                return result;
            } catch (Crash e) {
                log.add(name + " crashes");
                counts.crashes().incrementAndGet();
                resources = start();
            } catch (Exception e) {
                log.add(name + " fails: " + e);
            }
            return null;
        }

        @Override
        public void before(String verb) throws Exception {
            log.add(name + " calls " + verb);
            leavingsAtCall = leavings;
            calledAt = time.nanoTime();
            crash();
            pause();
            if (happens(20)) {
                throw verb.equals("create") && random.nextBoolean() ? nothingCreated() : new IOException("no request");
            }
        }

        private RuntimeException nothingCreated() {
            return random.nextBoolean()
                    ? new TerminalException("refused")
                    : new RequeueException("a limit", Duration.ofSeconds(1));
        }

        @Override
        public void after(String verb) throws Exception {
            check();
            pause();
            crash();
            if (happens(20)) {
                counts.lost().incrementAndGet();
                throw new IOException("no answer to " + verb);
            }
        }

        @Override
        public Thing create(FakeProvider at, ConfigMap owner, ExternalId id) throws Exception {
            int startedAt = leavingsAtCall;
            if (time.nanoTime() - calledAt > SETTLE.toNanos() / 3) {
                throw new IOException("the time limit of the client");
            }
            long lag = calm ? 0 : random.nextLong(SETTLE.toNanos() / 3);
            if (happens(5)) {
                counts.late().incrementAndGet();
                log.add(name + " creates late");
                at.later(random.nextLong(SETTLE.toNanos() / 3), () -> {
                    Thing late = at.create(owner, id, lag);
                    late.orphan |= startedAt != leavings;
                    log.add("late " + late);
                    check();
                });
                if (random.nextBoolean()) {
                    throw new Crash();
                }
                throw new IOException("timeout");
            }
            Thing thing = at.create(owner, id, lag);
            thing.orphan |= startedAt != leavings;
            log.add(name + " creates " + thing);
            return thing;
        }

        @Override
        public ApiResponse intercept(ClientCall call, Next next) {
            if (!call.verb().isWrite()) {
                return next.proceed(call);
            }
            crash();
            pause();
            if (happens(20)) {
                throw new IllegalStateException("the API server refuses");
            }
            boolean leaves = isLeaving(view);
            ApiResponse response = next.proceed(call);
            writes++;
            log.add(name + " writes");
            remember();
            if (leaves && !isRecorded()) {
                log.add(name + " leaves the resource");
                leavings++;
                provider.live().forEach(thing -> thing.orphan = true);
            }
            adopt();
            pause();
            crash();
            if (happens(20)) {
                counts.lost().incrementAndGet();
                throw new IllegalStateException("no answer of the API server");
            }
            return response;
        }

        /** Let the other process work, and the time pass. */
        private void pause() {
            if (paused || !happens(12)) {
                return;
            }
            counts.pauses().incrementAndGet();
            log.add(name + " is paused");
            paused = true;
            ConfigMap mine = view;
            for (int steps = random.nextInt(4); steps >= 0; steps--) {
                step(processes[name.equals("A") ? 1 : 0]);
            }
            view = mine;
            paused = false;
            log.add(name + " continues");
        }
    }

    private boolean happens(int oneIn) {
        return !calm && random.nextInt(oneIn) == 0;
    }

    private void crash() {
        if (happens(25)) {
            throw new Crash();
        }
    }

    private static boolean isLeaving(ConfigMap owner) {
        return !FakeProvider.data(owner, "orphan").isEmpty()
                || !FakeProvider.data(owner, "observe").isEmpty();
    }

    private Optional<ConfigMap> live() {
        return client.live()
                .get(ConfigMap.class, key.namespace(), key.name())
                .filter(owner -> owner.getMetadata().getUid().equals(uid));
    }

    private boolean isRecorded() {
        return live().map(ConfigMap::getMetadata)
                .map(metadata -> metadata.getAnnotations() != null
                        && metadata.getAnnotations().containsKey(ANNOTATION))
                .orElse(false);
    }

    /** What the record names is managed again. */
    private void adopt() {
        live().map(owner -> owner.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(ANNOTATION))
                .ifPresent(text -> provider.live().stream()
                        .filter(thing -> text.contains('"' + thing.id + '"'))
                        .forEach(thing -> thing.orphan = false));
    }

    private void remember() {
        live().ifPresent(states::add);
    }

    private void check() {
        List<Thing> owned =
                provider.live().stream().filter(thing -> !thing.orphan).toList();
        assertThat(owned).as("resources").hasSizeLessThanOrEqualTo(1);
        if (provider.creation == Creation.IDEMPOTENT) {
            Map<String, Integer> keys = new HashMap<>();
            provider.live().forEach(thing -> keys.merge(thing.key, 1, Integer::sum));
            assertThat(keys)
                    .allSatisfy((each, number) -> assertThat(number).as(each).isEqualTo(1));
        }
    }

    /** Run the history; a failure has the steps before it in {@link #log}. */
    void run() {
        for (int i = 0; i < STEPS; i++) {
            step(processes[random.nextInt(2)]);
        }
        calm = true;
        provider.arrive();
        boolean deletes = random.nextBoolean();
        settle(owner -> FakeProvider.data(owner, "observe").isEmpty() || random.nextBoolean());
        if (deletes) {
            delete();
            settle(owner -> false);
        }
    }

    private void step(Process process) {
        switch (random.nextInt(14)) {
            case 0 -> edit(data -> data.put("value", "" + random.nextInt(100)));
            case 1 -> edit(data -> toggle(data, "orphan"));
            case 2 -> edit(data -> toggle(data, "observe"));
            case 3 -> edit(data -> data.put("variant", random.nextBoolean() ? "large" : ""));
            case 4 -> restart(process);
            case 5 -> vanish();
            case 6 -> person();
            case 7 -> deleteSometimes();
            case 8, 9 -> pass(random.nextInt(8) == 0 ? SETTLE.multipliedBy(3) : Duration.ofSeconds(random.nextInt(20)));
            default -> process.reconcile(state());
        }
    }

    private static void toggle(Map<String, String> data, String key) {
        if (data.remove(key) == null) {
            data.put(key, "true");
        }
    }

    /** A process reads its cache, which is late or not. */
    private ConfigMap state() {
        if (random.nextInt(3) == 0) {
            counts.stale().incrementAndGet();
            return states.get(states.size() - 1 - random.nextInt(Math.min(4, states.size())));
        }
        return states.get(states.size() - 1);
    }

    private void restart(Process process) {
        if (!paused) {
            process.resources = process.start();
            log.add(process.name + " starts");
        }
    }

    private void edit(Consumer<Map<String, String>> change) {
        live().ifPresent(owner -> {
            client.edit(owner, changed -> change.accept(changed.getData()));
            remember();
            live().ifPresent(now -> log.add("user: " + now.getData()));
        });
    }

    private void vanish() {
        if (random.nextInt(3) == 0) {
            provider.live().stream()
                    .filter(thing -> thing.visibleAt <= time.nanoTime())
                    .forEach(thing -> {
                        thing.deleted = true;
                        log.add("user deletes " + thing);
                    });
        }
    }

    private void deleteSometimes() {
        if (random.nextInt(6) == 0) {
            delete();
        }
    }

    private void delete() {
        live().filter(owner -> owner.getMetadata().getDeletionTimestamp() == null)
                .ifPresent(owner -> {
                    log.add("user deletes the owner");
                    client.delete(owner);
                    remember();
                });
    }

    private void pass(Duration duration) {
        time.advance(duration);
        provider.arrive();
    }

    /** A person looks at a provider that is quiet, and records what there is. */
    private void person() {
        if (provider.creation != Creation.UNKNOWN || !provider.isQuiet() || paused) {
            return;
        }
        live().filter(owner -> isRecorded()).ifPresent(owner -> {
            String text = owner.getMetadata().getAnnotations().get(ANNOTATION);
            if (!text.contains("\"attempt\"") || text.contains("\"id\"")) {
                return;
            }
            counts.stalls().incrementAndGet();
            Optional<Thing> thing =
                    provider.live().stream().filter(each -> !each.orphan).findFirst();
            client.edit(owner, changed -> {
                if (thing.isPresent()) {
                    String record = "{\"id\":\"%s\",\"variant\":\"%s\"}";
                    changed.getMetadata()
                            .getAnnotations()
                            .put(ANNOTATION, record.formatted(thing.get().id, thing.get().variant));
                } else {
                    changed.getMetadata().getAnnotations().remove(ANNOTATION);
                }
            });
            remember();
            log.add("person: " + thing);
        });
    }

    /** Without faults, the resource becomes what the owner says, or goes with it. */
    private void settle(Predicate<ConfigMap> observes) {
        live().filter(owner -> owner.getMetadata().getDeletionTimestamp() == null && !observes.test(owner))
                .ifPresent(owner -> edit(data -> data.remove("observe")));
        ExternalResult<Thing> result = null;
        for (int round = 0; round < CALM_ROUNDS && live().isPresent(); round++) {
            result = processes[0].reconcile(live().orElseThrow());
            pass(Duration.ofSeconds(5));
            person();
        }
        if (live().isEmpty()) {
            assertThat(provider.live().stream().filter(thing -> !thing.orphan))
                    .as("lost resources")
                    .isEmpty();
            return;
        }
        check();
        expectRest(result);
    }

    private void expectRest(ExternalResult<Thing> result) {
        ConfigMap owner = live().orElseThrow();
        assertThat(owner.getMetadata().getDeletionTimestamp()).as("owner stays").isNull();
        assertThat(result).isNotNull();
        int before = writes;
        processes[0].reconcile(owner);
        assertThat(writes).as("writes at rest").isEqualTo(before);
        if (FakeProvider.data(owner, "observe").isEmpty()) {
            assertThat(result.state()).isEqualTo(State.AVAILABLE);
            Thing thing = provider.observe(new ExternalId("", result.id().orElseThrow(), ""))
                    .orElseThrow();
            assertThat(thing.value).isEqualTo(FakeProvider.data(owner, "value"));
            assertThat(thing.variant).isEqualTo(FakeProvider.data(owner, "variant"));
            assertThat(owner.getMetadata().getAnnotations().get(ANNOTATION)).doesNotContain("attempt");
            assertThat(owner.getMetadata().getFinalizers()).contains(ANNOTATION);
        }
    }
}
