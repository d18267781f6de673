package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.Golden;
import io.github.reconciler4j.generator.crd.model.Ages;
import io.github.reconciler4j.generator.crd.model.Everything;
import io.github.reconciler4j.generator.crd.model.Mistakes;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CrdGeneratorTests {

    private static final Path SOURCES = Path.of("src/test/java");

    @Test
    void definitionWhenKindHasEverythingIsAsRecorded() {
        CrdResult result = generate(withJavadoc(), Everything.class);

        Golden.check(
                "crd/everythings.example.com.yaml",
                Yaml.write(result.definitions().get(0)));
        assertThat(result.warnings())
                .extracting(warning -> warning.split(" ")[0])
                .containsExactly("'.spec.inexact'", "'.spec.lessExact'");
    }

    @Test
    void definitionWhenGeneratedAgainIsTheSame() {
        assertThat(generate(withJavadoc(), Everything.class)).isEqualTo(generate(withJavadoc(), Everything.class));
    }

    @Test
    void kindWithoutTypeArgumentsIsNamed() {
        assertThat(generate(withJavadoc(), Raw.class).warnings())
                .singleElement()
                .asString()
                .startsWith(Raw.class.getName() + " extends CustomResource without type arguments")
                .endsWith(": write CustomResource<RawSpec, RawStatus>, with Void for the one that it does not have");
        assertThat(generate(withJavadoc(), Typed.class).warnings()).isEmpty();
    }

    @Group("example.com")
    @Version("v1")
    @SuppressWarnings("rawtypes")
    static class Raw extends CustomResource {
        private static final long serialVersionUID = 1L;
    }

    static class Base<S> extends CustomResource<S, Void> {
        private static final long serialVersionUID = 1L;
    }

    @Group("example.com")
    @Version("v1")
    static class Typed extends Base<Typed.Spec> {
        private static final long serialVersionUID = 1L;

        static class Spec {
            public String text;
        }
    }

    @Test
    void kindWithReplicasHasTheSubresourceScale() {
        assertThat(Yaml.write(
                        generate(withJavadoc(), Scaled.class).definitions().get(0)))
                .contains("scope: Cluster", "shortNames:\n    - sc\n", "labelSelectorPath: .status.selector")
                .contains("specReplicasPath: .spec.replicas", "statusReplicasPath: .status.replicas");
    }

    @Group("example.com")
    @Version("v1")
    @ShortNames("sc")
    static class Scaled extends CustomResource<Scaled.Spec, Scaled.Status> {
        private static final long serialVersionUID = 1L;

        static class Spec {
            @SpecReplicas
            public int replicas;
        }

        static class Status {
            @StatusReplicas
            public int replicas;

            @LabelSelector
            public String selector;
        }
    }

    @Test
    void versionsWhenSeveralClassesDescribeAKindAreInOneDefinition() {
        Map<String, Object> definition = generate(withJavadoc(), Ages.Alpha.class, Ages.Stable.class, Ages.Beta.class)
                .definitions()
                .get(0);

        assertThat(Yaml.write(definition)).containsSubsequence("""
                  - name: v1
                    schema:
                      openAPIV3Schema:
                        description: The third version.
                """, """
                    selectableFields:
                    - jsonPath: .spec.text
                    served: true
                    storage: true
                """, """
                  - name: v1beta1
                    deprecated: true
                    deprecationWarning: use example.com/v1
                """, """
                    served: true
                    storage: false
                """, """
                  - name: v1alpha1
                """, """
                    served: false
                    storage: false
                """);
    }

    @Test
    void descriptionsWhenTooLongEndAfterASentence() {
        assertThat(text(withJavadoc().withMaxDescriptionLength(30)))
                .contains("description: Some text.\n")
                .doesNotContain("second sentence");
        assertThat(text(withJavadoc().withMaxDescriptionLength(0))).doesNotContain("description");
        assertThat(text(CrdOptions.defaults())).doesNotContain("description");
    }

    private static String text(CrdOptions options) {
        return Yaml.write(generate(options, Ages.Stable.class).definitions().get(0));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(Mistakes.MapWithoutKeys.class, List.of("'.spec.items'", "@ListType(MAP) without 'keys'")),
                Arguments.of(Mistakes.UnknownKey.class, List.of("'.spec.items'", "the key 'nam'", "[name]")),
                Arguments.of(Mistakes.ListTypeOnText.class, List.of("'.spec.text'", "@ListType", "needs a list")),
                Arguments.of(Mistakes.MapTypeOnNumber.class, List.of("'.spec.number'", "@MapType", "integer")),
                Arguments.of(Mistakes.MaxOnText.class, List.of("'.spec.text'", "@Max", "use @Size", "string")),
                Arguments.of(Mistakes.MinOnList.class, List.of("'.spec.list'", "@Min", "use @Size", "array")),
                Arguments.of(Mistakes.PatternOnNumber.class, List.of("'.spec.number'", "@Pattern", "integer")),
                Arguments.of(Mistakes.SizeOnNumber.class, List.of("'.spec.number'", "@Size", "@Max", "integer")),
                Arguments.of(
                        Mistakes.ImmutableInAtomicList.class,
                        List.of("properties[items].items", "oldSelf.name", "@ListType(MAP)")),
                Arguments.of(
                        Mistakes.UnknownField.class, List.of("'.spec' has no field 'nmae'", "exactly one", "[name]")),
                Arguments.of(
                        Mistakes.CostlyRule.class, List.of("properties[texts]", "more than 100x", "@Size(max = ...)")),
                Arguments.of(Mistakes.RuleDoesNotCompile.class, List.of("ruledoesnotcompiles.example.com", "nmae")),
                Arguments.of(
                        Mistakes.DefaultOutOfRange.class,
                        List.of("properties[number].default", "less than or equal to 5")),
                Arguments.of(Mistakes.ExampleOutOfRange.class, List.of("invalid example", "less than or equal to 5")),
                Arguments.of(Mistakes.OptionalField.class, List.of("'.spec.text'", "Optional", "may be null")),
                Arguments.of(
                        Mistakes.OneChoice.class,
                        List.of("'.spec.choice'", "demands exactly one of [name]", "name two fields or more")),
                Arguments.of(
                        Mistakes.NotWritten.class,
                        List.of("'.spec.parts[0].name'", "cannot write it", "it has no name")),
                Arguments.of(Mistakes.Cycle.class, List.of("cycles.example.com", "cyclic", "next", "@SchemaFrom")),
                Arguments.of(
                        Mistakes.DefaultOfAnotherType.class,
                        List.of("DefaultOfAnotherType$Part.size is 'abc', which is no int", "a value of its type")));
    }

    @Test
    void cycleWhenTheAdviceIsFollowedHasADefinition() {
        assertThat(generate(CrdOptions.defaults(), Mistakes.CycleThatEnds.class).definitions())
                .hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistakeWhenInAClassIsNamedWithItsPlace(Class<? extends HasMetadata> kind, List<String> parts) {
        assertThatThrownBy(() -> generate(CrdOptions.defaults(), kind))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll(parts.toArray(String[]::new));
    }

    @Test
    void versionsWhenTwoAreStoredAreRefused() {
        assertThatThrownBy(() ->
                        generate(CrdOptions.defaults(), Mistakes.StoredTwice.class, Mistakes.StoredTwiceToo.class))
                .hasMessage("Exactly one version of twins.example.com must be stored, but "
                        + Mistakes.StoredTwice.class.getName()
                        + ", " + Mistakes.StoredTwiceToo.class.getName()
                        + " are: set @Version(storage = false) on the others (R4J-711)");
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    static CrdResult generate(CrdOptions options, Class<? extends HasMetadata>... kinds) {
        return new CrdGenerator(options).generate(List.of(kinds));
    }

    static CrdOptions withJavadoc() {
        return CrdOptions.defaults().withSources(List.of(SOURCES));
    }
}
