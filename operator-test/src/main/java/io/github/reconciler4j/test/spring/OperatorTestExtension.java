package io.github.reconciler4j.test.spring;

import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.junit.ClusterParameters;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** Hands the cluster of the application to the methods of a test. What has an annotation of Spring's is left to Spring. */
final class OperatorTestExtension extends ClusterParameters {
    private static final String SPRING = "org.springframework.";

    OperatorTestExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        boolean isSprings = Arrays.stream(parameter.getParameter().getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getName().startsWith(SPRING));
        return parameter.getDeclaringExecutable() instanceof Method
                && !isSprings
                && super.supportsParameter(parameter, context);
    }

    @Override
    protected TestCluster cluster(ExtensionContext context) {
        return SpringExtension.getApplicationContext(context).getBean(TestCluster.class);
    }
}
