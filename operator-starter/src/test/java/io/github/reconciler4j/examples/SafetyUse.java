package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.brake.Brake;
import io.github.reconciler4j.brake.DeletionStop;
import io.github.reconciler4j.examples.StoredBuckets.StoredBucket;
import io.github.reconciler4j.external.ExternalOptions;
import io.github.reconciler4j.external.ExternalResources;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.objectset.ObjectSet;
import io.github.reconciler4j.objectset.Readiness;
import io.github.reconciler4j.plan.Plan;
import io.github.reconciler4j.plan.PlanReport;
import java.time.Duration;

/** What a plan, a brake, and options of children and external resources look like. */
final class SafetyUse {

    private SafetyUse() {}

    static String plan(Config config, ManagerOptions options) throws InterruptedException {
        Plan plan = Plan.create();
        try (Manager manager = Manager.create(config, plan.prepare(options))) {
            new DeclaredBuilder().pages().addTo(manager);
            PlanReport report = plan.run(manager, Duration.ofMinutes(10));
            return report.toText();
        }
    }

    static void releaseAll(Manager manager) {
        Brake brake = Brake.of(manager);
        for (DeletionStop stop : brake.stops()) {
            brake.release(stop.controller());
        }
    }

    static ExternalResources<Bucket, StoredBucket> buckets(StoredBuckets buckets) {
        ExternalOptions options = ExternalOptions.defaults()
                .withDriftInterval(Duration.ofMinutes(30))
                .withWaitInterval(Duration.ofSeconds(5));
        return ExternalResources.create("bucket", buckets, options);
    }

    static ObjectSet database(Shop shop, StatefulSet database) {
        Readiness restored = Readiness.of(
                StatefulSet.class,
                set -> set.getMetadata().getAnnotations().containsKey("example.com/restored"),
                "waits for the backup");
        return ObjectSet.ownedBy(shop).apply(database).untilReady(restored);
    }
}
