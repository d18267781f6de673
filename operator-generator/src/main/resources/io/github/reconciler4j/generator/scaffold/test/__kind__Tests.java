package ${package};

#if( $webhooks )
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

#end
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
#if( $cluster )
        object.setMetadata(new ObjectMetaBuilder().withName("hello").build());
        object.getSpec().setNamespace(namespace);
#else
        object.setMetadata(new ObjectMetaBuilder().withName("hello").withNamespace(namespace).build());
#end
        object.getSpec().setText("Hello");

        cluster.client().resource(object).create();

        cluster.expect(ConfigMap.class, namespace, "hello").toHave("/data", Map.of("text", "Hello"));
#if( $cluster )
        cluster.expect(${kind}.class, "hello").toHaveCondition("Ready", "True");
#else
        cluster.expect(${kind}.class, namespace, "hello").toHaveCondition("Ready", "True");
#end

#if( $cluster )
        cluster.edit(${kind}.class, "hello", found -> found.getSpec().setText(""));
#else
        cluster.edit(${kind}.class, namespace, "hello", found -> found.getSpec().setText(""));
#end

        cluster.expect(ConfigMap.class, namespace, "hello").toBeGone();
    }
#if( $former )

    @Test
    void objectWhenWrittenInTheFormerVersionIsConverted(TestCluster cluster) {
        String namespace = cluster.createNamespace("former");
        ${package}.${former}.${kind} object = new ${package}.${former}.${kind}();
#if( $cluster )
        object.setMetadata(new ObjectMetaBuilder().withName("former").build());
        object.getSpec().setNamespace(namespace);
#else
        object.setMetadata(new ObjectMetaBuilder().withName("former").withNamespace(namespace).build());
#end
        object.getSpec().setMessage("Hello");

        cluster.client().resource(object).create();

        cluster.expect(ConfigMap.class, namespace, "former").toHave("/data", Map.of("text", "Hello"));
    }
#end
#if( $webhooks )

    @Test
    void textIsCheckedAndCompleted(TestCluster cluster) {
        String namespace = cluster.createNamespace("webhooks");
        ${kind} object = new ${kind}();
#if( $cluster )
        object.setMetadata(new ObjectMetaBuilder().withName("webhooks").build());
        object.getSpec().setNamespace(namespace);
#else
        object.setMetadata(new ObjectMetaBuilder().withName("webhooks").withNamespace(namespace).build());
#end
        object.getSpec().setText("a\tb");

        assertThatThrownBy(() -> cluster.client().resource(object).create()).hasMessageContaining("spec.text");

        object.getSpec().setText(" Hello ");
        assertThat(cluster.client().resource(object).create().getSpec().getText()).isEqualTo("Hello");
    }
#end
}
