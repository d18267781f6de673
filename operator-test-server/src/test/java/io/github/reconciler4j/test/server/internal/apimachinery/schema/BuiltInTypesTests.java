package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.FieldType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ListType;
import org.junit.jupiter.api.Test;

class BuiltInTypesTests {

    private final BuiltInTypes types = BuiltInTypes.get();

    private static FieldType field(TypeSchema type, String... path) {
        FieldType field = null;
        for (String name : path) {
            TypeSchema owner = field == null ? type : field.type().get();
            TypeSchema struct =
                    owner.list() == null ? owner : owner.list().element().get();
            field = struct.map().fields().get(name);
        }
        return field;
    }

    @Test
    void typeSchemaWhenKindIsBuiltInKnowsHowItsListsMerge() {
        TypeSchema deployment = types.typeSchema("apps/v1", "Deployment").orElseThrow();
        FieldType containers = field(deployment, "spec", "template", "spec", "containers");
        assertThat(containers.patchMergeKey()).isEqualTo("name");
        assertThat(containers.patchStrategies()).containsExactly("merge");
        ListType ports = field(deployment, "spec", "template", "spec", "containers", "ports")
                .type()
                .get()
                .list();
        assertThat(ports.atomic()).isFalse();
        assertThat(ports.keys()).containsExactly("containerPort", "protocol");
        assertThat(field(deployment, "spec", "selector").type().get().map().atomic())
                .isTrue();
        assertThat(field(deployment, "metadata", "finalizers")
                        .type()
                        .get()
                        .list()
                        .keys())
                .isEmpty();
    }

    @Test
    void typeSchemaWhenKindIsUnknownIsEmpty() {
        assertThat(types.typeSchema("example.com/v1", "Deployment")).isEmpty();
    }

    @Test
    void typeSchemaWhenTypesReferToThemselvesIsRead() {
        TypeSchema definition = types.typeSchema("apiextensions.k8s.io/v1", "CustomResourceDefinition")
                .orElseThrow();
        assertThat(field(definition, "spec", "versions", "schema", "openAPIV3Schema", "not", "not", "not"))
                .isNotNull();
    }

    @Test
    void emptyObjectWhenKindIsBuiltInHoldsItsNestedStructs() {
        assertThat(types.typeSchema("apps/v1", "Deployment").orElseThrow().emptyObject())
                .hasToString(
                        "{\"metadata\":{},\"spec\":{\"selector\":null,\"strategy\":{},\"template\":{\"metadata\":{},"
                                + "\"spec\":{\"containers\":null}}},\"status\":{}}");
    }

    @Test
    void discoveryWhenAskedNamesGroupsAndResources() {
        assertThat(types.discovery()
                        .path(0)
                        .path("versions")
                        .path(0)
                        .path("resources")
                        .findValuesAsText("resource"))
                .contains("pods", "configmaps");
        assertThat(types.serverVersion()).startsWith("v1.");
    }
}
