package io.github.reconciler4j.test.spring;

import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Ends application and server after a class that has them for itself. */
final class OperatorTestListener extends AbstractTestExecutionListener {
    /** As Spring's own listener that ends applications after classes. */
    private static final int ORDER = 3000;

    OperatorTestListener() {}

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void afterTestClass(TestContext testContext) {
        Class<?> testClass = testContext.getTestClass();
        var found = TestContextAnnotationUtils.findAnnotationDescriptor(testClass, OperatorTest.class);
        if (found != null && !found.getAnnotation().shared() && isOutermost(testClass)) {
            testContext.markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
        }
    }

    private static boolean isOutermost(Class<?> testClass) {
        return OperatorTestContextCustomizerFactory.outermost(testClass) == testClass;
    }
}
