package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.api.model.ServiceSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.networking.v1.IngressSpec;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.crd.Immutable;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.crd.model.Shapes;
import io.github.reconciler4j.generator.crd.model.Variants;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the definitions of some classes say, beyond that they keep what is written. */
@SuppressWarnings("serial")
class WrittenModelsTests {

    /** The models of Kubernetes, of which users make their own specs. */
    @Test
    void modelsOfKubernetesWhenPartOfASpecAreDescribed() {
        String text = yaml(Models.class);

        assertThat(text).contains("topologySpreadConstraints:").doesNotContain("anyOtherField");
    }

    @Test
    void subtypesWhenDescribedHaveTheirTypeIdsAndNoLimitsOfEachOther() {
        String text = yaml(Subtypes.class);

        assertThat(text)
                .containsSubsequence(
                        "size:", "type: integer", "type:", "enum:", "- bucket", "- folder", "required:", "- type")
                .doesNotContain("maximum", "- region");
    }

    /** Each class is used alone before and after the type that it is one of. */
    @Test
    void limitsWhenOfASubtypeHoldWhereItIsUsedAloneOnly() throws Exception {
        JsonNode spec = KubernetesJson.mapper()
                .valueToTree(CrdGenerator.checked(Beside.class, CrdOptions.defaults()))
                .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties");

        assertThat(spec.at("/bucket/properties/size/maximum").asInt()).isEqualTo(10);
        assertThat(spec.at("/zone/properties/size/maximum").asInt()).isEqualTo(10);
        assertThat(spec.at("/storage/properties/size/maximum").isMissingNode()).isTrue();
        assertThat(spec.path("alone")).isEqualTo(spec.path("zero"));
        assertThat(spec.path("alone").toString())
                .contains("multipleOf", "maxLength", "self < 11", "\"set\"", "default");
        assertThat(spec.path("kept").toString()).contains("self == oldSelf");
        assertThat(spec.path("kept")).isEqualTo(spec.path("other"));
        assertThat(spec.path("held").toString()).contains("\"text\"").doesNotContain("oldSelf");
        assertThat(spec.path("limited").toString())
                .contains("\"own\"")
                .doesNotContain("multipleOf", "maxLength", "self", "\"set\"", "default");
    }

    @Test
    void unknownFieldsWhenOfAnAnyGetterAreKeptAndNoOthers() {
        String text = yaml(Open.class);

        assertThat(text.split("x-kubernetes-preserve-unknown-fields: true", -1)).hasSize(2);
    }

    @Test
    void numbersWhenOfAnEnumAreItsValues() {
        assertThat(yaml(Levels.class)).containsSubsequence("level:", "enum:", "- 1", "- 9", "type: integer");
    }

    /** Such as a project has at its start. */
    @Test
    void classWhenWithoutPropertiesIsWrittenAndDescribed() throws Exception {
        Empty empty = new Empty();
        empty.setSpec(new Shapes.Nothing());
        empty.setStatus(new Shapes.Nothing());

        assertThat(KubernetesJson.mapper().writeValueAsString(empty)).contains("\"spec\":{}", "\"status\":{}");
        assertThat(yaml(Empty.class))
                .containsSubsequence("spec:", "type: object", "status:", "type: object")
                .doesNotContain("preserve");
    }

    @Test
    void subtypesWhenWithOneFieldOfTwoTypesAreRefused() {
        assertThatThrownBy(() -> yaml(Clash.class))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll("'value' of", "both have 'value'", "java.lang.Integer", "rename one of them");
    }

    @Test
    void converterWhenOnlyForWritingIsDescribedWithAWarning() {
        CrdGenerator generator = new CrdGenerator(CrdOptions.defaults());
        CrdResult result = generator.generate(List.of(OneWay.class));

        assertThat(Yaml.write(result.definitions().get(0))).containsSubsequence("point:", "type: string");
        assertThat(result.warnings()).singleElement().asString().contains("cannot read", "OneWay");
    }

    private static String yaml(Class<? extends HasMetadata> kind) {
        return Yaml.write(CrdGenerator.checked(kind, CrdOptions.defaults()));
    }

    @Group("example.com")
    @Version("v1")
    static class Models extends CustomResource<Models.Spec, Models.Status> {
        static class Spec {
            public PodTemplateSpec template;
            public ServiceSpec service;
            public PersistentVolumeClaim claim;
            public ObjectReference reference;
            public LabelSelector selector;
            public ResourceRequirements resources;
            public List<EnvVar> env;
            public Map<String, Toleration> tolerations;
            public Affinity affinity;
            public SecretKeySelector key;
            public DeploymentSpec deployment;
            public JobSpec job;
            public IngressSpec ingress;
            public Secret secret;
            public HasMetadata any;
        }

        static class Status {
            public List<Condition> conditions;
        }
    }

    @Group("example.com")
    @Version("v1")
    static class Subtypes extends CustomResource<Subtypes.Spec, Void> {
        static class Spec {
            public Variants.Storage storage;
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    @JsonSubTypes({@JsonSubTypes.Type(Kept.class), @JsonSubTypes.Type(Free.class)})
    interface Held {}

    static class Kept implements Held {
        @Immutable
        public String text;
    }

    static class Free implements Held {
        public String text;
    }

    @Group("example.com")
    @Version("v1")
    static class Beside extends CustomResource<Beside.Spec, Void> {
        static class Spec {
            public Variants.Tight alone;
            public Variants.Bucket bucket;
            public Variants.Limited limited;
            public Variants.Storage storage;
            public Map<String, Variants.Storage> storages;
            public Held held;
            public Kept kept;
            public Kept other;
            public Variants.Tight zero;
            public Variants.Bucket zone;
        }
    }

    @Group("example.com")
    @Version("v1")
    static class Open extends CustomResource<Open.Spec, Void> {
        static class Spec {
            public Shapes.Open open;
            public Shapes.Point point;
        }
    }

    @Group("example.com")
    @Version("v1")
    static class Levels extends CustomResource<Levels.Spec, Void> {
        static class Spec {
            public Shapes.Level level;
        }
    }

    @Group("example.com")
    @Version("v1")
    static class Empty extends CustomResource<Shapes.Nothing, Shapes.Nothing> {}

    @Group("example.com")
    @Version("v1")
    static class Clash extends CustomResource<Clash.Spec, Void> {
        static class Spec {
            public Variants.Clashing side;
        }
    }

    @Group("example.com")
    @Version("v1")
    static class OneWay extends CustomResource<OneWay.Spec, Void> {
        static class Spec {
            @JsonSerialize(converter = Shapes.PointToText.class)
            @JsonDeserialize
            public Shapes.Point point;
        }
    }
}
