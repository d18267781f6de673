package io.github.reconciler4j.spring.autoconfigure.aot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.AotDetector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.support.EnvironmentPostProcessorApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.NativeDetector;
import org.springframework.core.Ordered;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Keeps an application that Spring has processed ahead of time true to its properties. Spring evaluates conditions then, and a
 * later start would ignore properties that lead to other beans. Such a start evaluates the conditions itself, as if the application
 * had not been processed.
 */
final class ConditionListener implements SpringApplicationRunListener {

    private static final Logger LOG = LoggerFactory.getLogger(ConditionListener.class);

    private final @Nullable Class<?> main;
    private SortedSet<String> differences = Collections.emptySortedSet();

    /** Create the listener; called by Spring Boot. */
    ConditionListener(SpringApplication application) {
        main = application.getMainApplicationClass();
        if (main != null && AotDetector.useGeneratedArtifacts()) {
            application.addListeners(new Comparison(main));
        }
    }

    /** Compares when the environment is complete, and before logging is configured, which Spring also does ahead of time. */
    private final class Comparison implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

        private static final int ORDER = EnvironmentPostProcessorApplicationListener.DEFAULT_ORDER + 1;

        private final Class<?> main;

        Comparison(Class<?> main) {
            this.main = main;
        }

        @Override
        public int getOrder() {
            return ORDER;
        }

        @Override
        public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
            if (event.getSpringApplication().getMainApplicationClass() == main) {
                compare(main, event.getEnvironment());
            }
        }
    }

    private void compare(Class<?> main, ConfigurableEnvironment environment) {
        ConditionInputs inputs = inputs(main);
        differences = inputs == null ? differences : inputs.differences(environment);
        if (differences.isEmpty()) {
            return;
        }
        if (NativeDetector.inNativeImage()) {
            throw new IllegalStateException(
                    "The native image was built with other values of " + differences
                            + ", which decide which beans exist. Build it with these values, or remove the properties. (R4J-325)");
        }
        SpringProperties.setProperty(AotDetector.AOT_ENABLED, "false");
    }

    private static @Nullable ConditionInputs inputs(Class<?> main) {
        try (InputStream content = main.getClassLoader().getResourceAsStream(ConditionInputs.location(main))) {
            return content == null
                    ? null
                    : ConditionInputs.of(new String(content.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void contextPrepared(ConfigurableApplicationContext context) {
        if (!differences.isEmpty()) {
            LOG.info(
                    "The application was processed ahead of time with other values of {}, which decide which beans exist. It starts"
                            + " as if it was not processed, which takes longer. To avoid that, set the properties in the build, too (R4J-326)",
                    differences);
        }
        if (main != null && Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
            ConditionRecorder.addTo(context.getEnvironment(), main);
        }
    }
}
