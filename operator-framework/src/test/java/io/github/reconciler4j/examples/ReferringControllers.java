package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.OwnWrites;
import io.github.reconciler4j.builder.Owned;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/** Controllers that follow references and clean up. */
final class ReferringControllers {

    private ReferringControllers() {}

    static void signed(Manager manager) {
        ControllerBuilder.of(Greeting.class)
                .inNamespaces("default", "guests")
                .references(
                        Secret.class,
                        "signature",
                        greeting -> List.of(greeting.getSpec().getName()))
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
    }

    static void optional(Manager manager) {
        manager.options()
                .scheme()
                .register(new KindInfo(KindName.of("route.openshift.io/v1", "Route"), "routes", true));
        ControllerBuilder.of(Greeting.class)
                .owns(Owned.of(Kind.of("route.openshift.io/v1", "Route")).optional())
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
    }

    static void withoutOwnWrites(Manager manager) {
        ControllerBuilder.of(Greeting.class)
                .owns(Owned.of(Secret.class).ownWrites(OwnWrites.IGNORE))
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
    }

    static void hourly(Manager manager) {
        ControllerBuilder.of(Greeting.class)
                .schedule(now -> now.truncatedTo(ChronoUnit.HOURS).plusHours(1), ZoneId.of("Europe/Berlin"))
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
    }

    static void cleaning(Manager manager, Set<String> rooms) {
        ControllerBuilder.of(Greeting.class)
                .reconciler((greeting, context) -> Result.done())
                .cleaner((greeting, context) ->
                        rooms.isEmpty() ? CleanupResult.done() : CleanupResult.notYet(Duration.ofSeconds(10)))
                .addTo(manager);
    }
}
