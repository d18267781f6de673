package ${package};

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs the operator under its generated role with an API server in this JVM. */
@OperatorTest(generatedRole = true)
class ${kind}Tests {

    @Test
    void configMapContainsTheTextAndGoesWithIt(TestCluster cluster) {
        String namespace = cluster.createNamespace("test");
        ${kind} object = new ${kind}();
        object.setMetadata(new ObjectMetaBuilder().withName("hello").withNamespace(namespace).build());
        object.getSpec().setText("Hello");

        cluster.client().resource(object).create();

        cluster.expect(ConfigMap.class, namespace, "hello").toHave("/data", Map.of("text", "Hello"));
        cluster.expect(${kind}.class, namespace, "hello").toHaveCondition("Ready", "True");

        cluster.client().resource(object).edit(found -> {
            found.getSpec().setText("");
            return found;
        });

        cluster.expect(ConfigMap.class, namespace, "hello").toBeGone();
    }
}
