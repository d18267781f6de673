package io.github.reconciler4j.generator.training;

import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Result;
import java.io.File;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** An operator that gives each Note a ConfigMap; or, by the property {@code behavior}, a program that does something else. */
public final class TrainedOperator {

    private TrainedOperator() {}

    /** The reconciled kind. */
    @Group("example.com")
    @Version("v1")
    public static class Note extends CustomResource<Spec, Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    /** Some text. */
    public static class Spec {
        @Required
        public String text;
    }

    public static void main(String... arguments) throws InterruptedException {
        if (Boolean.getBoolean("requireProcessed") && !Boolean.getBoolean("spring.aot.enabled")) {
            throw new IllegalStateException("Spring would not use what it has generated");
        }
        switch (System.getProperty("behavior", "reconcile")) {
            case "fail" -> {
                System.out.println("The port is taken");
                System.exit(3);
            }
            case "idle" -> {
                System.out.println("Waiting for nothing");
                new CountDownLatch(1).await();
            }
            case "greet" -> System.out.println("Hello");
            case "poll" -> reconcile(Result.requeueAfter(Duration.ofMillis(500)));
            default -> reconcile(Result.done());
        }
    }

    private static void reconcile(Result result) throws InterruptedException {
        Config config = Config.fromKubeconfig(new File(System.getProperty("reconciler4j.client.kubeconfig")));
        Manager manager = Manager.create(config);
        ControllerBuilder.of(Note.class)
                .owns(ConfigMap.class)
                .reconciler((note, context) -> {
                    manager.client().apply(map(note));
                    manager.client().live().get(Note.class, context.request().key());
                    return result;
                })
                .addTo(manager);
        Runtime.getRuntime().addShutdownHook(new Thread(manager::close));
        manager.start();
        new CountDownLatch(1).await();
    }

    private static ConfigMap map(Note note) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(note.getMetadata().getNamespace())
                .withName(note.getMetadata().getName())
                .endMetadata()
                .addToData("text", note.getSpec().text)
                .build();
        OwnerReferences.setController(map, note);
        return map;
    }
}
