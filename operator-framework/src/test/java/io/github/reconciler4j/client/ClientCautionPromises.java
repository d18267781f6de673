package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Writes that are only tried, checked or watched. */
interface ClientCautionPromises extends ClientPromises {

    @Test
    default void dryRunValidatesAndChangesNothing() {
        Client dry = client().dryRun();
        ConfigMap result = dry.create(configMap("dry"));
        assertThat(result.getMetadata().getUid()).isNotBlank();
        assertThat(client().get(ConfigMap.class, key("dry"))).isEmpty();
        Gadget invalid = gadget("dry");
        invalid.getSpec().replicas = -1;
        assertThatThrownBy(() -> dry.create(invalid)).isInstanceOf(InvalidObjectException.class);
        assertThat(notified()).isEmpty();
        client().create(configMap("kept"));
        dry.delete(Kind.of(ConfigMap.class), key("kept"), DeletionOptions.defaults());
        dry.deleteAll(Kind.of(ConfigMap.class), Selection.inNamespace(namespace()), DeletionOptions.defaults());
        dry.applyUnconditionally(
                new ConfigMapBuilder(configMap("kept")).addToData("x", "y").build(), ApplyOptions.defaults());
        assertThat(client().get(ConfigMap.class, key("kept")).orElseThrow().getData())
                .containsOnlyKeys("a");
        assertThat(notified()).containsExactly("written configmaps");
    }

    @Test
    default void fieldValidationRefusesWarnsOrIgnoresUnknownFields() {
        GenericKubernetesResource object = generic("client.test.reconciler4j.io/v1", "Gadget", "v");
        object.setAdditionalProperty("spec", Map.of("unknownField", 1));
        WriteOptions strict = WriteOptions.defaults().withFieldValidation(FieldValidation.STRICT);
        assertThatThrownBy(() -> client().create(object, strict))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("spec.unknownField");
        List<String> warnings = new ArrayList<>();
        client().create(
                        object,
                        WriteOptions.defaults()
                                .withFieldValidation(FieldValidation.WARN)
                                .withOnWarning(warnings::add));
        assertThat(warnings).singleElement().asString().contains("spec.unknownField");
        warnings.clear();
        object.getMetadata().setName("v2");
        client().create(
                        object,
                        WriteOptions.defaults()
                                .withFieldValidation(FieldValidation.IGNORE)
                                .withOnWarning(warnings::add));
        assertThat(warnings).isEmpty();
    }

    @Test
    default void observeModeChangesNothingAndReportsTheEffect() {
        client().create(configMap("seen"));
        Gadget gadget = client().create(gadget("seen"));
        List<ObservedWrite> observed = new ArrayList<>();
        Client observing = Client.create(
                connection(),
                Scheme.create(),
                ClientOptions.defaults().withMode(WriteMode.OBSERVE).withWriteObserver(observed::add));

        writeInManyWays(observing, gadget);

        assertThat(observed)
                .extracting(w -> w.call().verb().word() + " " + w.effect() + " "
                        + w.call().subresource())
                .containsExactly(
                        "create CREATED ",
                        "apply CHANGED ",
                        "patch CHANGED status",
                        "patch CHANGED scale",
                        "create CREATED ",
                        "delete DELETED ");
        assertThat(observed.get(1).changes()).containsExactly(new ObservedWrite.Change("data.a", "\"1\"", "\"2\""));
        assertThat(observed.get(2).changes())
                .containsExactly(new ObservedWrite.Change("status.phase", "", "\"Ready\""));
        assertThat(observed.get(3).changes()).containsExactly(new ObservedWrite.Change("spec.replicas", "1", "7"));
        assertThat(observed.toString()).doesNotContain("hunter2", "aHVudGVyMg");
        assertThat(client().get(ConfigMap.class, key("new"))).isEmpty();
        assertThat(client().get(ConfigMap.class, key("seen")).orElseThrow().getData())
                .containsEntry("a", "1");
        assertThat(client().get(Gadget.class, key("seen")).orElseThrow().getStatus())
                .isNull();
    }

    private void writeInManyWays(Client observing, Gadget gadget) {
        observing.create(configMap("new"));
        observing.applyUnconditionally(
                new ConfigMapBuilder(configMap("seen")).addToData("a", "2").build(), ApplyOptions.defaults());
        observing.applyUnconditionally(configMap("seen"), ApplyOptions.defaults());
        gadget.setStatus(new Gadget.Status());
        gadget.getStatus().phase = "Ready";
        observing.status().update(gadget);
        observing.scale().set(gadget, 7);
        observing.create(new SecretBuilder()
                .withMetadata(named("hidden"))
                .addToStringData("k", "hunter2")
                .build());
        observing.delete(configMap("seen"));
    }
}
