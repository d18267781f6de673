package io.github.reconciler4j.grid;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.reconciler4j.fixtures.ModuleClasses;
import io.github.reconciler4j.recorder.EventEntry;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Each public method that takes a text, a duration or a number gets hostile ones, one at a time. It must work, or throw an
 * {@link IllegalArgumentException} that names the parameter before it sends or changes anything, or another exception that it
 * documents.
 */
@Timeout(300)
class HostileArgumentsTests {

    private static final long SEED = Long.getLong("grid.seed", 1);
    private static final long LIMIT_MILLIS = 200;

    /** An earlier call that was cancelled can still send a request. */
    private static final int ATTEMPTS = 3;

    /** Methods of objects that only a running operator has, or that have tests of their own. */
    private static final Set<String> UNREACHABLE = Set.of(
            "controller.Controller.addClaims[Map]",
            "controller.Controller.joined[String]",
            "controller.Controller.left[String]",
            "controller.Controller.stop[Duration]",
            "controller.ControllerOperations.failing[int]",
            "controller.ControllerOperations.setMaxConcurrentReconciles[int]",
            "health.HealthEndpoint.all[boolean, Set]",
            "health.HealthEndpoint.one[String]",
            "leaderelection.LeaseStatus[String, ObjectKey, String, Replica]",
            "manager.permission.PermissionReport.yaml[String, String, String]",
            "manager.permission.PermissionReport.accounts[String]",
            "manager.permission.PermissionReport.yaml[String]",
            "manager.process.ProbeServer.stop[Duration]",
            "recorder.EventEntry.withAnnotations[Map]",
            "workqueue.Fairness.withMaxRunning[int]",
            "workqueue.Fairness.withShare[double]");

    private final Samples samples = new Samples();
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.reconciler4j");
    private final TreeSet<String> violations = new TreeSet<>();
    private final TreeSet<String> unreachable = new TreeSet<>();
    private int calls;
    private int refused;
    private int methods;

    @BeforeEach
    void silenceTheLog() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void close() {
        log.setLevel(null);
        executor.shutdownNow();
        samples.close();
    }

    @Test
    void publicMethodWhenArgumentIsHostileWorksOrNamesTheParameter(TestReporter reporter) {
        new ClassFileImporter()
                .importLocations(ModuleClasses.locations()).stream()
                        .filter(HostileArgumentsTests::isApi)
                        .map(JavaClass::reflect)
                        .forEach(this::checkType);

        reporter.publishEntry(
                "hostile arguments", methods + " methods, " + calls + " calls, " + refused + " of them refused");
        assertThat(violations).isEmpty();
        assertThat(unreachable).as("methods for which Samples has no object").isEqualTo(UNREACHABLE);
        assertThat(methods).isGreaterThan(200);
    }

    private static boolean isApi(JavaClass type) {
        boolean open = type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass()
                        .map(outer -> outer.getModifiers().contains(JavaModifier.PUBLIC))
                        .orElse(true);
        return open
                && type.getPackageName().startsWith("io.github.reconciler4j")
                && !type.getPackageName().contains(".internal")
                && !type.getPackageName().endsWith(".support")
                && !type.getPackageName().contains(".test")
                && !type.isAssignableTo(Throwable.class)
                && !type.isEnum();
    }

    private void checkType(Class<?> type) {
        for (Method method : type.getDeclaredMethods()) {
            boolean checked = Modifier.isPublic(method.getModifiers())
                    && !method.isSynthetic()
                    && !method.getName().equals("equals")
                    && !(Modifier.isAbstract(method.getModifiers()) && isCallback(type));
            if (checked) {
                check(type, method);
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (Modifier.isPublic(constructor.getModifiers())) {
                check(type, constructor);
            }
        }
    }

    /** The user implements it. */
    private boolean isCallback(Class<?> type) {
        Object sample = samples.of(type);
        return sample == null || org.mockito.Mockito.mockingDetails(sample).isMock();
    }

    private void check(Class<?> type, Executable executable) {
        boolean counted = false;
        for (int i = 0; i < executable.getParameterCount(); i++) {
            Parameter parameter = executable.getParameters()[i];
            List<Object> values = HostileValues.of(parameter.getType(), parameter.getParameterizedType(), SEED + i);
            for (Object value : values) {
                methods += counted ? 0 : 1;
                counted = true;
                check(type, executable, i, value);
            }
        }
    }

    private void check(Class<?> type, Executable executable, int at, Object value) {
        Object[] arguments = new Object[executable.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == at ? value : sample(executable.getParameters()[i]);
        }
        boolean fixed = executable instanceof Constructor || Modifier.isStatic(executable.getModifiers());
        Object receiver = fixed ? null : samples.of(type);
        if (Arrays.asList(arguments).contains(null) || !fixed && receiver == null) {
            unreachable.add(describe(type, executable));
            return;
        }
        calls++;
        @Nullable Throwable failure = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int requests = samples.requests();
            failure = call(executable, receiver, arguments);
            if (failure == null || isHandled(failure, executable, at, value, requests)) {
                return;
            }
        }
        violations.add(describe(type, executable) + " " + executable.getParameters()[at].getName() + " = "
                + HostileValues.show(value) + ": " + failure);
    }

    private @Nullable Object sample(Parameter parameter) {
        boolean path = parameter.getType() == String.class
                && List.of("path", "liveness", "readiness").contains(parameter.getName());
        if (path) {
            return "/" + parameter.getName();
        }
        return switch (parameter.getName()) {
            case "type" -> parameter.getType() == String.class ? EventEntry.NORMAL : samples.of(parameter.getType());
            case "leaseDuration" -> Duration.ofSeconds(15);
            case "renewDeadline" -> Duration.ofSeconds(10);
            default -> samples.of(parameter.getType());
        };
    }

    private @Nullable Throwable call(Executable executable, @Nullable Object receiver, Object[] arguments) {
        Future<?> call = executor.submit(() -> {
            Object result = executable instanceof Method method
                    ? method.invoke(receiver, arguments)
                    : ((Constructor<?>) executable).newInstance(arguments);
            String.valueOf(result);
            return result;
        });
        try {
            call.get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
            return null;
        } catch (TimeoutException e) {
            call.cancel(true); // it waits, as it was asked to
            return null;
        } catch (ExecutionException e) {
            return e.getCause() instanceof InvocationTargetException thrown ? thrown.getCause() : e.getCause();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isHandled(Throwable failure, Executable executable, int at, Object value, int requestsBefore) {
        boolean own = failure.getClass().getName().startsWith("io.github.reconciler4j.");
        if (failure instanceof IllegalArgumentException && !own) {
            refused++;
            String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
            boolean named = names(message, executable, at)
                    || value instanceof String text && message.contains("'" + text.toLowerCase(Locale.ROOT))
                    || value instanceof Collection<?> values
                            && values.stream().anyMatch(v -> message.contains("'" + v));
            return samples.requests() == requestsBefore && named;
        }
        return own || failure instanceof IllegalStateException && failure.getMessage() != null;
    }

    /** Return whether a message contains the name of a parameter, a word of it, or what the method sets. */
    private static boolean names(String message, Executable executable, int at) {
        String parameter = executable.getParameters()[at].getName();
        List<String> words = new ArrayList<>(List.of(parameter.split("(?=[A-Z])")));
        words.remove("new");
        words.add(executable.getName().replaceFirst("^with", "").replaceFirst("s$", ""));
        return words.stream().map(word -> word.toLowerCase(Locale.ROOT)).anyMatch(message::contains);
    }

    private static String describe(Class<?> type, Executable executable) {
        return type.getName().substring("io.github.reconciler4j.".length())
                + (executable instanceof Method ? "." + executable.getName() : "")
                + Arrays.stream(executable.getParameterTypes())
                        .map(Class::getSimpleName)
                        .toList();
    }
}
