package io.github.reconciler4j.spring.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.env.Environment;

/**
 * Gives the operator's shutdown phase the time that its grace period needs. Spring goes on with the next phase, and ends
 * what the reconcilers use, when a phase has taken {@code spring.lifecycle.timeout-per-shutdown-phase}, 30 seconds unless
 * set, which is no more than the default grace period.
 */
final class ShutdownPhase {

    /** What may follow the grace period: workers that end after an interrupt, the lease, the last events. */
    static final Duration ALLOWANCE = Duration.ofSeconds(15);

    static final String PROPERTY = "spring.lifecycle.timeout-per-shutdown-phase";

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownPhase.class);
    private static final Duration DEFAULT = Duration.ofSeconds(30);
    private static final Duration WITHOUT_END = Duration.ofDays(36500);

    private ShutdownPhase() {}

    /** Sees to it that the phase lasts as long as needed, and says so if a property says otherwise. */
    static void prepare(ConfigurableApplicationContext context, Duration grace) {
        Duration needed = grace.isNegative() ? WITHOUT_END : grace.plus(ALLOWANCE);
        String text = text(context.getEnvironment());
        Duration configured = text == null ? DEFAULT : DurationStyle.detectAndParse(text);
        if (configured.compareTo(needed) >= 0) {
            return;
        }
        boolean extended = extend(context, needed);
        if (!extended || (text != null && (grace.isNegative() || configured.compareTo(grace) < 0))) {
            LOG.warn(
                    "{} is {} and reconciler4j.grace-period is {}: {}",
                    PROPERTY,
                    configured,
                    grace,
                    extended
                            ? "the operator's phase lasts as long as its grace period needs, all others as configured"
                            : "what reconcilers use may be ended before they are; configure at least " + needed);
        }
    }

    private static @Nullable String text(Environment environment) {
        return environment.getProperty(PROPERTY);
    }

    private static boolean extend(ConfigurableApplicationContext context, Duration needed) {
        try {
            LifecycleProcessor processor =
                    context.getBean(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME, LifecycleProcessor.class);
            if (processor instanceof DefaultLifecycleProcessor phases) {
                phases.setTimeoutForShutdownPhase(ManagerLifecycle.PHASE, needed.toMillis());
                return true;
            }
        } catch (NoSuchBeanDefinitionException e) {
            LOG.debug("The context has no lifecycle processor", e);
        }
        return false;
    }
}
