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
 * Gives the shutdown phase of the operator the time that its grace period needs. Spring continues with the next phase, which
 * stops what reconcilers use, after {@code spring.lifecycle.timeout-per-shutdown-phase}. Its default of 30 seconds is not
 * longer than the default grace period.
 */
final class ShutdownPhase {

    /** Time after the grace period for interrupted workers, the release of the lease and the last events. */
    static final Duration ALLOWANCE = Duration.ofSeconds(15);

    static final String PROPERTY = "spring.lifecycle.timeout-per-shutdown-phase";

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownPhase.class);
    private static final Duration DEFAULT = Duration.ofSeconds(30);
    private static final Duration UNLIMITED = Duration.ofDays(36500);

    private ShutdownPhase() {}

    /** Extend the phase as needed, and log a warning if a property contradicts this. */
    static void prepare(ConfigurableApplicationContext context, Duration grace) {
        Duration needed = grace.isNegative() ? UNLIMITED : grace.plus(ALLOWANCE);
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
                            ? "the phase of the operator is extended, all other phases last as configured"
                            : "reconcilers may lose what they use before they finish; set the property to at least "
                                    + needed);
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
