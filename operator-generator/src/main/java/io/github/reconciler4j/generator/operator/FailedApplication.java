package io.github.reconciler4j.generator.operator;

import io.github.reconciler4j.generator.GeneratorException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

/** Explains why an application has no context at build time, with the failure analyzers that explain it at a start. */
final class FailedApplication {

    private static final String PROFILE = " If a bean needs a running system, leave it out by a profile: set"
            + " spring.profiles.active in the properties of the generator. (R4J-704)";

    /** A sentence ends with a full stop, and perhaps the code of the message. */
    private static final Pattern END = Pattern.compile("[.!?](?: \\([-A-Z0-9]+\\))?$");

    private FailedApplication() {}

    /**
     * Return the failure, for people.
     *
     * @param context null if the application failed before it had one
     */
    static GeneratorException of(
            String mainClass, @Nullable Throwable failure, @Nullable ConfigurableApplicationContext context) {
        String what = "The application context of " + mainClass + " cannot be created at build time: ";
        List<Throwable> causes = Stream.iterate(failure, cause -> cause != null, cause -> cause.getCause())
                .limit(100)
                .toList();
        for (Throwable cause : causes) {
            if (cause instanceof GeneratorException explained) {
                return explained;
            }
        }
        Throwable root = causes.isEmpty() ? null : causes.get(causes.size() - 1);
        if (root instanceof LinkageError) {
            return new GeneratorException(
                    what + root
                            + ". Two libraries do not fit together: compare their versions in the output of"
                            + " mvn dependency:tree with docs/versions.md (R4J-705)",
                    failure);
        }
        FailureAnalysis analysis = failure == null ? null : analyze(failure, context);
        if (analysis == null) {
            return new GeneratorException(what + sentence(String.valueOf(root)) + bean(causes) + PROFILE, failure);
        }
        String action = analysis.getAction();
        return new GeneratorException(
                what
                        + sentence(analysis.getDescription())
                        + (action == null || action.isBlank() ? "" : " " + sentence(action))
                        + (causes.stream().anyMatch(FailedApplication::needsASystem) ? PROFILE : ""),
                failure);
    }

    /** Return the innermost bean that could not be created. */
    private static String bean(List<Throwable> causes) {
        return causes.stream()
                .filter(BeanCreationException.class::isInstance)
                .map(cause -> ((BeanCreationException) cause).getBeanName())
                .filter(Objects::nonNull)
                .reduce((outer, inner) -> inner)
                .map(name -> " It prevents the bean '" + name + "'.")
                .orElse("");
    }

    private static boolean needsASystem(Throwable cause) {
        return cause instanceof ConnectException
                || cause instanceof UnknownHostException
                || cause instanceof SocketTimeoutException
                || cause instanceof SQLException;
    }

    /** Return the first explanation. An analyzer that fails, or that needs a bean of the context, explains nothing. */
    private static @Nullable FailureAnalysis analyze(
            Throwable failure, @Nullable ConfigurableApplicationContext context) {
        ArgumentResolver arguments = ArgumentResolver.none();
        if (context != null) {
            arguments = ArgumentResolver.of(BeanFactory.class, context.getBeanFactory())
                    .and(Environment.class, context.getEnvironment());
        }
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation(
                        Thread.currentThread().getContextClassLoader())
                .load(FailureAnalyzer.class, arguments, (type, name, e) -> {});
        for (FailureAnalyzer analyzer : analyzers) {
            FailureAnalysis analysis = analysis(analyzer, failure);
            if (analysis != null) {
                return analysis;
            }
        }
        return null;
    }

    private static @Nullable FailureAnalysis analysis(FailureAnalyzer analyzer, Throwable failure) {
        try {
            return analyzer.analyze(failure);
        } catch (RuntimeException | LinkageError e) {
            return null;
        }
    }

    private static String sentence(@Nullable String text) {
        String trimmed = text == null ? "" : text.strip();
        return trimmed.isEmpty() || END.matcher(trimmed).find() ? trimmed : trimmed + ".";
    }
}
