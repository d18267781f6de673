package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Reads and writes of objects, and the types of their errors. */
interface ClientObjectPromises extends ClientPromises {

    @Test
    default void typedObjectsAreCreatedReadUpdatedAndDeleted() {
        ConfigMap created = client().create(configMap("one"));
        assertThat(created.getMetadata().getUid()).isNotBlank();
        assertThat(created.getApiVersion()).isEqualTo("v1");
        ConfigMap read = client().get(ConfigMap.class, key("one")).orElseThrow();
        assertThat(read).isEqualTo(created);
        ConfigMap updated =
                client().update(new ConfigMapBuilder(read).addToData("b", "2").build());
        assertThat(updated.getData()).containsEntry("b", "2");
        assertThat(updated.getMetadata().getManagedFields())
                .extracting(entry -> entry.getManager())
                .containsOnly("client-test");
        assertThat(client().delete(updated)).isTrue();
        assertThat(client().delete(updated)).isFalse();
        assertThat(client().get(ConfigMap.class, key("one"))).isEmpty();
        assertThat(notified()).containsExactly("written configmaps", "written configmaps", "deleted one uid");
    }

    @Test
    default void genericAndMetadataFormsOfOneKindAgree() {
        GenericKubernetesResource object = generic("client.test.reconciler4j.io/v1", "Gadget", "g");
        object.setAdditionalProperty("spec", Map.of("replicas", 2, "big", new BigInteger("9007199254740993")));
        GenericKubernetesResource created = client().create(object);
        KindName kind = KindName.of("client.test.reconciler4j.io/v1", "Gadget");

        assertThat(created.getKind()).isEqualTo("Gadget");
        assertThat(client().get(Kind.of(kind), key("g"))).contains(created);
        assertThat(client().list(Kind.of(kind), Selection.inNamespace(namespace())))
                .containsExactly(created);
        Gadget typed = client().get(Gadget.class, key("g")).orElseThrow();
        assertThat(typed.getSpec().big).isEqualTo(new BigInteger("9007199254740993"));
        ObjectHeader header = client().get(Kind.of(kind).metadata(), key("g")).orElseThrow();
        assertThat(header.uid()).isEqualTo(typed.getMetadata().getUid());
        assertThat(header.generation()).isEqualTo(1);
        assertThat(client().list(Kind.of(kind).metadata(), Selection.inNamespace(namespace())))
                .extracting(ObjectHeader::key)
                .containsExactly(key("g"));
        assertThat(client().get(Kind.of(kind).metadata(), key("missing"))).isEmpty();
    }

    @Test
    default void clusterScopedObjectsAreCreatedReadAndDeleted() {
        String name = namespace() + "-more";
        Namespace created = client().create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
        assertThat(client().get(Namespace.class, ObjectKey.ofName(name))).isPresent();
        assertThat(client().live().list(Kind.of(Namespace.class), Selection.all()))
                .extracting(n -> n.getMetadata().getName())
                .contains(name, namespace());
        assertThat(client().delete(created)).isTrue();
        assertThat(notified()).contains("written namespaces");
        await("end of the namespace")
                .atMost(TIME_LIMIT)
                .until(() ->
                        client().get(Namespace.class, ObjectKey.ofName(name)).isEmpty());
    }

    @Test
    default void generateNameGivesEachObjectItsOwn() {
        ConfigMap template = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace())
                .withGenerateName("gen-")
                .endMetadata()
                .build();
        String first = client().create(template).getMetadata().getName();
        String second = client().create(template).getMetadata().getName();
        assertThat(first).startsWith("gen-").isNotEqualTo(second);
        assertThat(template.getMetadata().getName()).isNull();
    }

    @Test
    default void listsPageWithoutLosingOrDoublingAnything() {
        Set<String> created = new TreeSet<>();
        for (int i = 0; i <= 500; i++) { // one more than fits into a page
            created.add(client().create(configMap("page-" + i)).getMetadata().getName());
        }
        Selection all = Selection.inNamespace(namespace()).withFieldSelector("metadata.name!=kube-root-ca.crt");
        assertThat(client().list(Kind.of(ConfigMap.class), all))
                .extracting(map -> map.getMetadata().getName())
                .containsExactlyElementsOf(created);
        assertThat(client().live().stream(Kind.of(ConfigMap.class), all)
                        .map(map -> map.getMetadata().getName()))
                .containsExactlyElementsOf(created);
        assertThat(client().list(Kind.of(ConfigMap.class), all.withLimit(3))).hasSize(3);
    }

    @Test
    default void serverErrorsAreTyped() {
        client().create(configMap("there"));
        assertThatThrownBy(() -> client().create(configMap("there"))).isInstanceOf(AlreadyExistsException.class);
        assertThatThrownBy(() -> client().update(configMap("missing"))).isInstanceOf(NotFoundException.class);
        ConfigMap stale = client().get(ConfigMap.class, key("there")).orElseThrow();
        client().update(new ConfigMapBuilder(stale).addToData("b", "2").build());
        assertThatThrownBy(() -> client().update(
                                new ConfigMapBuilder(stale).addToData("b", "3").build()))
                .isExactlyInstanceOf(ConflictException.class)
                .hasMessageStartingWith("patch configmaps " + namespace() + "/there: 409 Conflict: ");
        assertThatThrownBy(() -> client().create(generic("nothing.example/v1", "Nothing", "x")))
                .isInstanceOf(io.github.reconciler4j.scheme.UnknownKindException.class);
        String missing = namespace() + "-missing";
        assertThatThrownBy(() -> client().create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(missing)
                        .withName("x")
                        .endMetadata()
                        .build()))
                .isExactlyInstanceOf(NotFoundException.class)
                .hasMessageContaining("namespaces \"" + missing + "\" not found");
    }

    @Test
    default void invalidObjectNamesTheFieldsAndHidesTheValues() {
        Gadget gadget = gadget("bad");
        gadget.getSpec().replicas = 1000;
        gadget.getSpec().secret = "hunter2: not for logs";

        ApiException failure = (ApiException) catchThrowable(() -> client().create(gadget));

        assertThat(failure).isInstanceOf(InvalidObjectException.class);
        assertThat(failure.causes())
                .extracting(ApiException.Cause::field)
                .as("with the rules that were not checked")
                .containsExactlyInAnyOrder("spec.replicas", "spec.secret", "");
        assertThat(failure.getMessage())
                .contains("spec.replicas: ", "spec.secret: ")
                .doesNotContain("hunter2", "1000");
    }

    @Test
    default void invalidObjectWhenRuleOfDefinitionFailsShowsItsMessage() {
        Gadget unlucky = gadget("unlucky");
        unlucky.getSpec().replicas = 13;
        assertThatThrownBy(() -> client().create(unlucky))
                .isInstanceOf(InvalidObjectException.class)
                .hasMessageContaining("spec.replicas: Invalid value: must not be: unlucky")
                .hasMessageNotContaining("13");
    }

    @Test
    default void retryOnConflictEndsWithBothChanges() {
        client().create(configMap("r"));
        ConfigMap stale = client().get(ConfigMap.class, key("r")).orElseThrow();
        List<Integer> tries = new ArrayList<>();
        ConfigMap result = client().retryOnConflict(ConfigMap.class, key("r"), read -> {
            tries.add(1);
            ConfigMap from = tries.size() == 1 ? stale : read;
            if (tries.size() == 1) {
                client().update(new ConfigMapBuilder(read)
                        .addToData("theirs", "1")
                        .build());
            }
            return client().update(
                            new ConfigMapBuilder(from).addToData("mine", "1").build());
        });
        assertThat(tries).hasSize(2);
        assertThat(result.getData()).containsKeys("mine", "theirs");
    }
}
