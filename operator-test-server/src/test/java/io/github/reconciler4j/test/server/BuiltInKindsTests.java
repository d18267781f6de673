package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.github.reconciler4j.test.server.internal.registry.Registry.BuiltInKinds;
import io.github.reconciler4j.test.server.internal.registry.Registry.BuiltInKinds.Row;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BuiltInKindsTests {
    static List<Row> rows() {
        return BuiltInKinds.rows();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void rowAgreesWithTheModelClass(Row row) throws ClassNotFoundException {
        ResourceType type = row.type();
        Class<? extends HasMetadata> model = Class.forName(row.modelClass()).asSubclass(HasMetadata.class);

        assertThat(HasMetadata.getApiVersion(model)).isEqualTo(type.apiVersion());
        assertThat(HasMetadata.getKind(model)).isEqualTo(type.kind());
        assertThat(HasMetadata.getPlural(model)).isEqualTo(type.plural());
        assertThat(Namespaced.class.isAssignableFrom(model)).isEqualTo(type.namespaced());
    }
}
