package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.support.SupportedVersions;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Ends the start if a library has an unsupported version, and finds out whether the JVM was started for the application. Only then
 * may the operator end the process.
 *
 * <p>The first frame of the starting thread decides. It is the {@code main} method of the application, that is of one of
 * its sources or of a class in the same package, or that of Spring Boot's launcher. Tests are started by the main method of
 * a test runner, embedded applications by that of another application or by a server.
 */
final class Launch implements SpringApplicationRunListener {

    private static final String LAUNCHER = "org.springframework.boot.loader.";
    private static final String BEAN = "reconciler4jStandalone";

    private final boolean standalone;

    /** Create the listener; called by Spring Boot on the thread that starts the application. */
    Launch(SpringApplication application, String[] arguments) {
        standalone = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.reduce((upper, lower) -> lower))
                .filter(first -> first.getMethodName().equals("main"))
                .map(StackFrame::getDeclaringClass)
                .filter(main -> main.getName().startsWith(LAUNCHER) || belongsTo(main, application))
                .isPresent();
    }

    private static boolean belongsTo(Class<?> main, SpringApplication application) {
        return application.getAllSources().stream()
                .anyMatch(source ->
                        source instanceof Class<?> type && type.getPackageName().equals(main.getPackageName()));
    }

    /** Checks the versions here, which is before any bean, and after which Spring Boot explains a failure. */
    @Override
    public void contextPrepared(ConfigurableApplicationContext context) {
        SupportedVersions.check();
        context.getBeanFactory().registerSingleton(BEAN, standalone);
    }

    /** Return whether the JVM was started for the application of a context. */
    static boolean isStandalone(ConfigurableApplicationContext context) {
        return Boolean.TRUE.equals(context.getBeanFactory().getSingleton(BEAN));
    }
}
