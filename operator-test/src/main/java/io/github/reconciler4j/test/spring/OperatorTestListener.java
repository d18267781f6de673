package io.github.reconciler4j.test.spring;

import io.github.reconciler4j.test.cluster.TestCluster;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Ends application and server after a class that does not share them, records the requests of the operator, and fails a
 * test in which the API server refused a request of an operator under its roles.
 */
final class OperatorTestListener extends AbstractTestExecutionListener {
    /** As Spring's own listener that ends applications after classes. */
    private static final int ORDER = 3000;

    /** By cluster, since several classes may share one. */
    private static final Map<TestCluster, RequestRecord> RECORDS = Collections.synchronizedMap(new WeakHashMap<>());

    OperatorTestListener() {}

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void afterTestMethod(TestContext testContext) {
        Class<?> testClass = testContext.getTestClass();
        var found = TestContextAnnotationUtils.findAnnotationDescriptor(testClass, OperatorTest.class);
        if (found == null) {
            return;
        }
        RequestRecord recorded = recordOf(testContext);
        if (recorded == null) {
            return;
        }
        List<RequestRecord.Refusal> refused = recorded.take(
                testClass.getName() + "#" + testContext.getTestMethod().getName());
        recorded.write(OperatorTestContextCustomizerFactory.outermost(testClass));
        if (!refused.isEmpty() && OperatorRoles.of(found.getAnnotation()).areWanted()) {
            throw new AssertionError(RequestRecord.message(refused));
        }
    }

    private static @Nullable RequestRecord recordOf(TestContext testContext) {
        if (!testContext.hasApplicationContext()) {
            return null;
        }
        TestCluster cluster = testContext
                .getApplicationContext()
                .getBeanProvider(TestCluster.class)
                .getIfAvailable();
        return cluster == null
                ? null
                : cluster.server()
                        .map(server -> RECORDS.computeIfAbsent(cluster, absent -> new RequestRecord(cluster, server)))
                        .orElse(null);
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
