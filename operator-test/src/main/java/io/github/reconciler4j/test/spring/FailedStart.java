package io.github.reconciler4j.test.spring;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Starts the application of a test before the extension of Spring does. If that fails, the cause is at the start of the message,
 * which is all that the summary of a build shows. In the message of Spring, the configuration of the test is there.
 */
final class FailedStart implements TestInstancePostProcessor {

    private static final int MAX_DEPTH = 32;

    FailedStart() {}

    @Override
    public void postProcessTestInstance(Object testInstance, ExtensionContext context) {
        try {
            SpringExtension.getApplicationContext(context);
        } catch (IllegalStateException e) {
            if (e.getCause() == null) {
                throw e; // another test has failed for the same cause before
            }
            throw new IllegalStateException("The application of the test does not start: " + reason(e), e);
        }
    }

    /** Return the reason in one line: what analyzers of Spring Boot say, or else the innermost cause. */
    static String reason(Throwable failure) {
        String text = SpringFactoriesLoader.forDefaultResourceLocation(FailedStart.class.getClassLoader())
                .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, e) -> {}))
                .stream()
                .map(analyzer -> analysis(analyzer, failure))
                .filter(Objects::nonNull)
                .map(found -> found.getDescription()
                        + (found.getAction() == null || found.getAction().isBlank() ? "" : " " + found.getAction()))
                .findFirst()
                .orElseGet(() -> root(failure));
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    private static String root(Throwable failure) {
        List<Throwable> causes = Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MAX_DEPTH)
                .toList();
        return causes.get(causes.size() - 1).toString();
    }

    private static @Nullable FailureAnalysis analysis(FailureAnalyzer analyzer, Throwable failure) {
        try {
            return analyzer.analyze(failure);
        } catch (RuntimeException | LinkageError e) {
            return null; // one that cannot explain this failure
        }
    }
}
