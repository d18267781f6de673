package io.github.reconciler4j.benchmarks.peer;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import java.time.Duration;

/** The works with this framework, without Spring. */
final class ReconcilerPeer {

    private ReconcilerPeer() {}

    /** Run it. */
    public static void main(String[] arguments) throws InterruptedException {
        Work work = Work.of(arguments);
        Manager manager = Manager.create(Config.autoConfigure(null));
        if (work.kind() == Work.Kind.CACHE) {
            manager.cache().informer(cached(work));
            manager.start();
            manager.cache().awaitSync(Duration.ofMinutes(5));
            work.synced();
        } else {
            for (int number = 1; number <= work.controllers(); number++) {
                control(work, manager, number);
            }
            manager.start();
        }
    }

    /** The class whose objects the work caches. */
    static Class<? extends HasMetadata> cached(Work work) {
        return work.isAboutConfigMaps() ? ConfigMap.class : WebApp.class;
    }

    /** Add one of the controllers. */
    static void control(Work work, Manager manager, int number) {
        var builder = ControllerBuilder.of(WebApp.class)
                .named("webapp-" + number)
                .options(ControllerOptions.defaults().withMaxConcurrentReconciles(work.workers()));
        if (work.isWithConfigMaps()) {
            builder.owns(ConfigMap.class);
        }
        builder.reconciler(reconciler(work, manager.client())).addTo(manager);
    }

    /** The reconciler of a work. */
    static ObjectReconciler<WebApp> reconciler(Work work, Client client) {
        Convergence convergence = new Convergence(client);
        if (work.kind() == Work.Kind.CONVERGE) {
            return (app, context) -> {
                convergence.converge(app);
                return reconciled(work, app);
            };
        }
        if (work.isApplied()) {
            return (app, context) -> {
                convergence.apply(app, work.version());
                return reconciled(work, app);
            };
        }
        return (app, context) -> reconciled(work, app);
    }

    /** What a reconciler returns at its end. */
    private static Result reconciled(Work work, WebApp app) {
        boolean again = work.reconciled(
                app.getMetadata().getNamespace(), app.getMetadata().getName(), app.getSpec().host);
        return again ? Result.requeueAfter(Duration.ofMillis(1)) : Result.done();
    }
}
