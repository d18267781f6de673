package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.workqueue.RequestGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the settings of a module do with a manager, without a module. */
@Timeout(60)
class ManagerExtensionOptionsTests {

    private static final Config NOWHERE = new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:1")
            .build();

    private final Division division = new Division(3, new ArrayList<>());
    private final Module module = new Module(division);
    private final Manager manager =
            Manager.create(NOWHERE, ManagerOptions.defaults().withExtension(module));

    @AfterEach
    void close() {
        manager.close();
    }

    /** Divides the work by the first letter of the names, and notes its gates. */
    private record Division(int parts, List<Gate<?>> gates) implements WorkDivision {

        @Override
        public OptionalInt partOf(String cluster) {
            return OptionalInt.empty();
        }

        @Override
        public <R> RequestGate<R> gate(
                String controller, Function<? super R, OptionalInt> partOf, BooleanSupplier ready) {
            Gate<R> gate = new Gate<>(controller, partOf, ready);
            gates.add(gate);
            return gate;
        }
    }

    private record Gate<R>(String controller, Function<? super R, OptionalInt> partOf, BooleanSupplier ready)
            implements RequestGate<R> {

        @Override
        public void attach(Backlog<R> queue) {}

        @Override
        public boolean admits(R request) {
            return true;
        }

        @Override
        public @Nullable Pass enter(R request, int priority, Runnable interrupt) {
            return null;
        }
    }

    private static final class Module implements ManagerExtension.Options, ManagerExtension {

        private final WorkDivision division;
        private final List<String> calls = new ArrayList<>();

        Module(WorkDivision division) {
            this.division = division;
        }

        @Override
        public CacheOptions cache(ManagerOptions options) {
            return options.cache().withPartition(Partition.of(division.parts(), Set.of()));
        }

        @Override
        public Optional<WorkDivision> division(ManagerOptions options) {
            return Optional.of(division);
        }

        @Override
        public Optional<ManagerExtension> create(Host host) {
            calls.add("create for " + host.manager().cache().partition().count());
            return Optional.of(this);
        }

        @Override
        public void adding(List<ManagedComponent> components) {
            components.forEach(component -> calls.add("adding " + component.name()));
            if (components.get(0).name().equals("refused")) {
                throw new IllegalStateException("refused");
            }
        }

        @Override
        public void added(ManagedComponent component) {
            calls.add("added " + component.name());
        }

        @Override
        public void removed(ManagedComponent component) {
            calls.add("removed " + component.name());
        }

        @Override
        public void ended(List<ManagedComponent> components) {
            components.forEach(component -> calls.add("ended " + component.name()));
        }

        @Override
        public Optional<Object> status() {
            return Optional.of("fine");
        }

        @Override
        public String toString() {
            return "Module";
        }
    }

    private ManagedComponent component(String name) {
        return new ManagedComponent() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void start() {}

            @Override
            public void stop(Duration grace) {
                module.calls.add("stopped " + name);
            }
        };
    }

    @Test
    void optionsKeepOneModuleOfEachClass() {
        Module other = new Module(division);
        ManagerOptions options = manager.options().withExtension(other);
        assertThat(manager.options().extensions()).containsExactly(module);
        assertThat(options.extensions()).containsExactly(other);
        assertThat(options.division()).contains(division);
        assertThat(options).asString().contains("extensions=[Module]");
        assertThat(ManagerOptions.defaults().division()).isEmpty();
    }

    @Test
    void extensionIsCreatedWhenTheCacheHasItsOptions() {
        assertThat(module.calls).containsExactly("create for 3");
        assertThat(manager.status().extension(String.class)).contains("fine");
        assertThat(manager.status().extension(Integer.class)).isEmpty();
    }

    @Test
    void extensionIsAskedBeforeAComponentStartsAndNotifiedWhenItHasEnded() {
        ManagedComponent part = component("part");
        manager.add(part);
        manager.remove(part);
        assertThat(module.calls)
                .containsSubsequence("adding part", "added part", "removed part", "stopped part", "ended part");
    }

    @Test
    void componentThatIsRefusedIsNotThere() {
        assertThatIllegalStateException().isThrownBy(() -> manager.add(component("refused")));
        assertThat(module.calls).containsSubsequence("adding refused", "ended refused");
        assertThat(manager.components()).isEmpty();
        assertThat(manager.status().components())
                .extracting(ComponentState::name)
                .doesNotContain("refused");
    }

    @Test
    void controllerOfADividedKindHasAGate() {
        Controller<Request> controller = ControllerBuilder.of(ConfigMap.class)
                .reconciler((map, context) -> Result.done())
                .addTo(manager);
        assertThat(controller.group()).isEqualTo(StartGroup.ALL_REPLICAS);
        assertThat(division.gates()).hasSize(1);
        @SuppressWarnings("unchecked")
        Gate<Request> gate = (Gate<Request>) division.gates().get(0);
        assertThat(controller.gate()).containsSame(gate);
        assertThat(gate.controller()).isEqualTo("configmap");
        Request request = new Request("shop", "a");
        assertThat(gate.partOf().apply(request))
                .isEqualTo(OptionalInt.of(manager.cache().partition().ofNamespace("shop")));
        assertThat(gate.ready().getAsBoolean()).as("nothing is cached yet").isFalse();
    }

    @Test
    void controllerThatNeedsAllObjectsCannotWatchDividedKinds() {
        RequestControllerBuilder<String> secrets = ControllerBuilder.forRequests("secrets", String.class)
                .watches(Secret.class, secret -> List.of("all"))
                .reconciler((name, context) -> Result.done());
        assertThatIllegalStateException()
                .isThrownBy(() -> secrets.build(manager))
                .withMessageContaining("'secrets' runs on one replica, but watches Secret.v1");
        assertThat(division.gates()).isEmpty();
    }
}
