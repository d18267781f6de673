package io.github.reconciler4j.test.spring;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Finds {@link OperatorTest} on test classes. */
final class OperatorTestContextCustomizerFactory implements ContextCustomizerFactory {
    OperatorTestContextCustomizerFactory() {}

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
        var found = TestContextAnnotationUtils.findAnnotationDescriptor(testClass, OperatorTest.class);
        if (found == null) {
            return null;
        }
        OperatorTest wanted = found.getAnnotation();
        String owner = wanted.shared() ? "" : outermost(testClass).getName();
        return new OperatorTestContextCustomizer(
                List.of(wanted.definitions()), Set.of(wanted.simulators()), wanted.server(), owner);
    }

    /** The class whose configuration a test class has: itself, or for a nested one the class around it. */
    static Class<?> outermost(Class<?> testClass) {
        Class<?> outermost = testClass;
        while (TestContextAnnotationUtils.searchEnclosingClass(outermost)) {
            outermost = outermost.getEnclosingClass();
        }
        return outermost;
    }
}
