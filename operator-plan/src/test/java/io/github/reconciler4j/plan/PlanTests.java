package io.github.reconciler4j.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.internal.spi.PlanScope;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.objectset.ObjectSet;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PlanTests extends PlanFixture {

    @Test
    void planOfTheSameVersionIsEmpty() throws Exception {
        owner("one");
        run(applying("app:1"));
        PlanReport report = plan(applying("app:1"));
        assertThat(report.changes()).isEmpty();
        assertThat(report.problems()).isEmpty();
        assertThat(report.exitCode()).isZero();
        assertThat(report.counts().requests()).isEqualTo(1);
        assertThat(report.toText()).contains(" of 1 controller", "No changes. 1 request.");
    }

    @Test
    void fieldsThatChangeAreOneGroupWithOneRequestPerObject() throws Exception {
        List.of("one", "two", "three").forEach(this::owner);
        run(applying("app:1"));
        PlanReport report = plan(applying("app:2"));
        assertThat(effects(report))
                .containsExactly("CHANGED Deployment one", "CHANGED Deployment three", "CHANGED Deployment two");
        assertThat(report.changes().get(0).fields())
                .containsExactly(new Change("spec.template.spec.containers[main].image", "\"app:1\"", "\"app:2\""));
        assertThat(report.exitCode()).isEqualTo(2);
        assertThat(report.counts().requests()).isEqualTo(3);
        assertThat(report.toText())
                .contains("3 Deployments would be changed:\n"
                        + "  spec.template.spec.containers[main].image: \"app:1\" -> \"app:2\"\n"
                        + "  - " + namespace + "/one (owners " + namespace + "/one)\n")
                .contains("3 changed. 3 requests.");
        assertThat(client.live()
                        .get(Deployment.class, namespace, "one")
                        .orElseThrow()
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage())
                .isEqualTo("app:1");
    }

    @Test
    void objectsWithValuesOfTheirOwnAreOneGroup() throws Exception {
        List.of("one", "two").forEach(this::owner);
        run((owner, client, sets) -> {
            client.apply(child(owner, owner.getMetadata().getName() + "-child", "old"));
            return Result.done();
        });
        PlanReport report = plan((owner, client, sets) -> {
            String name = owner.getMetadata().getName();
            client.apply(child(owner, name + "-child", name));
            return Result.done();
        });
        assertThat(report.toText())
                .contains("2 ConfigMaps would be changed:\n  - " + namespace + "/one-child (owners " + namespace
                        + "/one)\n      data.value: \"old\" -> \"one\"\n");
    }

    @Test
    void newObjectIsCreatedAndLaterWritesBelongToIt() throws Exception {
        owner("one");
        PlanReport report = plan((owner, client, sets) -> {
            ConfigMap child = client.create(child(owner, "new", "1"));
            client.edit(child, changed -> changed.setData(Map.of("value", "2")));
            assertThat(client.live().get(ConfigMap.class, namespace, "new")).isPresent();
            return Result.done();
        });
        assertThat(report.problems()).isEmpty();
        assertThat(effects(report)).containsExactly("CREATED ConfigMap new");
        assertThat(report.changes().get(0).fields()).contains(new Change("data.value", "", "\"2\""));
        assertThat(report.toText()).contains("1 ConfigMap would be created:").doesNotContain("data.value");
        assertThat(client.live().get(ConfigMap.class, namespace, "new")).isEmpty();
    }

    @Test
    void deletedObjectIsPrunedWithoutARequest() throws Exception {
        owner("one");
        run(applying("app:1"));
        PlanReport report = plan((owner, client, sets) -> {
            assertThat(client.delete(
                            Kind.of(Deployment.class), ObjectKey.of(namespace, "one"), DeletionOptions.defaults()))
                    .isTrue();
            assertThat(client.delete(
                            Kind.of(Deployment.class), ObjectKey.of(namespace, "one"), DeletionOptions.defaults()))
                    .isFalse();
            return Result.done();
        });
        assertThat(effects(report)).containsExactly("PRUNED Deployment one");
        assertThat(report.counts().requests()).isZero();
    }

    @Test
    void deletionOfManyNamesEach() throws Exception {
        owner("one");
        run(applying("app:1"));
        PlanReport report = plan((owner, client, sets) -> {
            client.deleteAll(Kind.of(Deployment.class), Selection.inNamespace(namespace), DeletionOptions.defaults());
            return Result.done();
        });
        assertThat(effects(report)).containsExactly("PRUNED Deployment one");
        assertThat(client.live().list(Deployment.class, namespace)).hasSize(1);
    }

    @Test
    void deletedObjectThatIsCreatedAgainIsReplaced() throws Exception {
        owner("one");
        run(applying("app:1"));
        PlanReport report = plan((owner, client, sets) -> {
            client.delete(Kind.of(Deployment.class), ObjectKey.of(namespace, "one"), DeletionOptions.defaults());
            Deployment other = deployment("one", "app:1");
            other.getSpec().getSelector().setMatchLabels(Map.of("app", "other"));
            other.getSpec().getTemplate().getMetadata().setLabels(Map.of("app", "other"));
            client.create(other);
            return Result.done();
        });
        assertThat(effects(report)).containsExactly("REPLACED Deployment one");
        assertThat(report.changes().get(0).fields())
                .extracting(Change::path)
                .containsExactly("spec.selector.matchLabels.app", "spec.template.metadata.labels.app");
    }

    @Test
    void stepBehindAnObjectThatIsNotReadyComesAfterIt() throws Exception {
        owner("one");
        Work version = (owner, client, sets) -> {
            ObjectSet set = ObjectSet.ownedBy(owner)
                    .apply(deployment("first", "app:1"))
                    .untilReady()
                    .then(s -> s.apply(secret("second")));
            return sets.reconcile(set).toResult();
        };
        PlanReport report = plan(version);
        assertThat(report.problems()).isEmpty();
        assertThat(effects(report))
                .containsExactlyInAnyOrder(
                        "CHANGED ConfigMap one",
                        "CREATED Deployment first",
                        "CREATED Secret second after Deployment " + namespace + "/first");
        assertThat(report.toText()).contains("/second, after Deployment " + namespace + "/first (owners");
    }

    @Test
    void objectThatTheSetDoesNotContainIsPruned() throws Exception {
        owner("one");
        run((owner, client, sets) -> sets.reconcile(
                        ObjectSet.ownedBy(owner).apply(secret("kept")).apply(secret("left")))
                .toResult());
        PlanReport report = plan((owner, client, sets) ->
                sets.reconcile(ObjectSet.ownedBy(owner).apply(secret("kept"))).toResult());
        assertThat(effects(report)).containsExactly("PRUNED Secret left");
        assertThat(report.exitCode()).isEqualTo(2);
    }

    private Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .addToStringData("password", "hunter2")
                .build();
    }

    @Test
    void contentOfSecretsIsNeitherInTheTextNorInTheJson() throws Exception {
        owner("one");
        run((owner, client, sets) -> {
            client.apply(secret("known"));
            return Result.done();
        });
        PlanReport report = plan((owner, client, sets) -> {
            Secret known = secret("known");
            known.setStringData(Map.of("password", "correct-horse"));
            client.apply(known);
            client.apply(secret("new"));
            return Result.done();
        });
        assertThat(effects(report)).containsExactly("CHANGED Secret known", "CREATED Secret new");
        assertThat(report.changes().get(0).fields()).contains(new Change("data.password", "***", "***"));
        assertThat(report.toText() + report.toJson())
                .doesNotContain("hunter2", "correct-horse", "aHVudGVyMg", "Y29ycmVjdC1ob3JzZQ");
    }

    @Test
    void requestThatFailsIsAProblemAndTheOthersArePlanned() throws Exception {
        owner("bad");
        owner("good");
        PlanReport report = plan((owner, client, sets) -> {
            if (owner.getMetadata().getName().equals("bad")) {
                throw new IllegalStateException("no such tier");
            }
            client.apply(deployment("good", "app:1"));
            return Result.done();
        });
        assertThat(report.problems())
                .containsExactly(new PlanReport.Problem("owners", namespace + "/bad", "no such tier"));
        assertThat(effects(report)).containsExactly("CREATED Deployment good");
        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(report.toText()).contains("Cannot be planned:\n  owners " + namespace + "/bad: no such tier");
    }

    @Test
    void eachRequestRunsOnceWhateverItAsksFor() throws Exception {
        owner("one");
        owner("two");
        AtomicInteger runs = new AtomicInteger();
        PlanReport report = plan((owner, client, sets) -> {
            runs.incrementAndGet();
            assertThat(PlanScope.isActive()).isTrue();
            return owner.getMetadata().getName().equals("one")
                    ? Result.requeueAfter(Duration.ofMillis(1))
                    : Result.requeueWithBackoff();
        });
        assertThat(runs).hasValue(2);
        assertThat(report.exitCode()).isZero();
        assertThat(PlanScope.isActive()).isFalse();
    }

    @Test
    void finalizerIsAChangeOfTheOwnerAndADeletedOwnerIsCleanedUp() throws Exception {
        ConfigMap deleted = owner("deleted");
        client.edit(deleted, changed -> changed.getMetadata().setFinalizers(List.of("owners.example.com/f")));
        run(applying("app:1"));
        client.delete(Kind.of(ConfigMap.class), ObjectKey.of(namespace, "deleted"), DeletionOptions.defaults());
        owner("fresh");
        PlanReport report = plan((owner, client, sets) -> Result.done(), (owner, context) -> {
            return CleanupResult.done();
        });
        assertThat(report.problems()).isEmpty();
        assertThat(effects(report)).contains("CHANGED ConfigMap fresh");
        assertThat(client.live()
                        .get(ConfigMap.class, namespace, "fresh")
                        .orElseThrow()
                        .getMetadata()
                        .getFinalizers())
                .isEmpty();
    }

    @Test
    void objectsWithGeneratedNamesAreCountedEach() throws Exception {
        owner("one");
        PlanReport report = plan((owner, client, sets) -> {
            for (int each = 0; each < 2; each++) {
                ConfigMap child = child(owner, null, "1");
                child.getMetadata().setGenerateName("job-");
                client.create(child);
            }
            return Result.done();
        });
        assertThat(effects(report)).containsExactly("CREATED ConfigMap job-#2*", "CREATED ConfigMap job-*");
    }

    @Test
    void statusIsCountedAndNotSent() throws Exception {
        owner("one");
        run(applying("app:1"));
        PlanReport report = plan((owner, client, sets) -> {
            Deployment found =
                    client.get(Deployment.class, ObjectKey.of(namespace, "one")).orElseThrow();
            Deployment answered = client.status().edit(found, changed -> {
                changed.setStatus(new io.fabric8.kubernetes.api.model.apps.DeploymentStatus());
                changed.getStatus().setReplicas(3);
            });
            assertThat(answered.getStatus().getReplicas()).isEqualTo(3);
            return Result.done();
        });
        assertThat(report.problems()).isEmpty();
        assertThat(report.changes()).isEmpty();
        assertThat(report.counts().statusWrites()).isEqualTo(1);
        assertThat(report.toText()).contains("No changes. 1 status write left out. 0 requests.");
    }

    @Test
    void jsonHasEffectObjectFieldBeforeAndAfter() throws Exception {
        owner("one");
        run(applying("app:1"));
        JsonNode json = new ObjectMapper().readTree(plan(applying("app:2")).toJson());
        assertThat(json.path("version").asInt()).isEqualTo(1);
        assertThat(json.path("exitCode").asInt()).isEqualTo(2);
        assertThat(json.at("/summary/changed").asInt()).isEqualTo(1);
        assertThat(json.at("/counts/requests").asInt()).isEqualTo(1);
        assertThat(json.at("/changes/0").toString()).isEqualTo("""
                {"effect":"changed","apiVersion":"apps/v1","kind":"Deployment","namespace":"NS","name":"one",\
                "subresource":"","after":"","causes":["owners NS/one"],"fields":[{"path":\
                "spec.template.spec.containers[main].image","before":"\\"app:1\\"","after":"\\"app:2\\""}]}""".replace("NS", namespace));
        assertThat(json.at("/groups/0/objects/0").asText()).isEqualTo(namespace + "/one");
        assertThat(json.path("problems")).isEmpty();
    }

    @Test
    void controllerWhoseKindIsNotServedIsAProblem() throws Exception {
        PlanReport report = planOfAbsentKind();
        assertThat(report.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.controller()).isEqualTo("absent");
            assertThat(problem.message()).startsWith("did not start: ");
        });
        assertThat(report.exitCode()).isEqualTo(1);
    }

    private PlanReport planOfAbsentKind() throws InterruptedException {
        Plan plan = Plan.create();
        Scheme scheme = Scheme.create();
        scheme.register(new KindInfo(KindName.of("none.example.com/v1", "Absent"), "absents", true));
        ManagerOptions options = plan.prepare(ManagerOptions.defaults().withScheme(scheme));
        try (Manager manager = Manager.create(server.clientConfig(), options)) {
            ControllerBuilder.of(Kind.of("none.example.com/v1", "Absent"))
                    .named("absent")
                    .reconciler((object, context) -> Result.done())
                    .addTo(manager);
            return plan.run(manager, LIMIT);
        }
    }
}
