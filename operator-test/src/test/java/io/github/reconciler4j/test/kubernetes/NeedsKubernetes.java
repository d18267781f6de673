package io.github.reconciler4j.test.kubernetes;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Marks a test of a feature that older versions of Kubernetes lack. The test is disabled if {@code DEV_KUBERNETES_VERSION} chooses
 * one of these.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsKubernetes.Condition.class)
public @interface NeedsKubernetes {

    /** The oldest version that has the feature, for example {@code 1.36}. */
    String value();

    /** Compares the version that the test needs with the chosen one. */
    final class Condition implements ExecutionCondition {

        private static final String VARIABLE = "DEV_KUBERNETES_VERSION";

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String needed = AnnotationSupport.findAnnotation(context.getElement(), NeedsKubernetes.class)
                    .map(NeedsKubernetes::value)
                    .orElse("1.0");
            String chosen = System.getenv(VARIABLE);
            return isOlder(chosen, needed)
                    ? ConditionEvaluationResult.disabled(
                            VARIABLE + " is " + chosen + ", and this needs Kubernetes " + needed)
                    : ConditionEvaluationResult.enabled("Kubernetes has the feature");
        }

        static boolean isOlder(String chosen, String needed) {
            return chosen != null && !chosen.isBlank() && minor(chosen) < minor(needed);
        }

        private static int minor(String version) {
            return Integer.parseInt(version.split("\\.")[1]);
        }
    }
}
