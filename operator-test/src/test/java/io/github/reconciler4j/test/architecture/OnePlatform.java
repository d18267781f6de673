package io.github.reconciler4j.test.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.lang.ArchRule;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

/**
 * The rule that threads, timers, time, waits and sockets come from one place, {@code support.internal.Platform}. Other modules use it
 * in their tests.
 */
public final class OnePlatform {

    private static final String SUPPORT = "io.github.reconciler4j.support.";
    private static final Set<String> PLACE =
            Set.of(SUPPORT + "internal.Platform", SUPPORT + "TimeSource", SUPPORT + "Threads");

    /** What only the platform creates, with the classes derived from it. */
    private static final Set<Class<?>> CREATED =
            Set.of(Thread.class, Executor.class, Timer.class, Socket.class, ServerSocket.class, DatagramSocket.class);

    /** What has methods that wait for a time. */
    private static final Set<Class<?>> WAITED_FOR = Set.of(
            CountDownLatch.class,
            Future.class,
            BlockingQueue.class,
            Semaphore.class,
            Lock.class,
            Process.class,
            Executor.class);

    private OnePlatform() {}

    /**
     * No class creates a thread or a socket, waits, or asks for the time but through the platform.
     *
     * @param exceptions a class and what it calls, such as {@code "HostAddresses Future.get"}, and why
     */
    public static ArchRule isUsed(Map<String, String> exceptions) {
        return classes().should(new Exceptions("take threads, time, waits and sockets from Platform", exceptions) {
            @Override
            Stream<Use> uses(JavaClass item) {
                return isFree(item) ? Stream.empty() : forbiddenCalls(item);
            }
        });
    }

    /** The libraries for tests do not depend on the framework, and wait in real time. */
    private static boolean isFree(JavaClass type) {
        return PLACE.contains(Exceptions.outermost(type).getName())
                || type.getPackageName().matches("io\\.github\\.reconciler4j\\.test(?!\\.architecture)(\\..*)?");
    }

    private static Stream<Exceptions.Use> forbiddenCalls(JavaClass item) {
        return Stream.concat(item.getCodeUnitCallsFromSelf().stream(), item.getCodeUnitReferencesFromSelf().stream())
                .filter(call -> isForbidden(call.getTarget()))
                .map(call -> new Exceptions.Use(name(call.getTarget()), call.getDescription()));
    }

    private static String name(CodeUnitAccessTarget target) {
        String owner = target.getOwner().getSimpleName();
        return isConstructor(target) ? "new " + owner : owner + "." + target.getName();
    }

    private static boolean isConstructor(CodeUnitAccessTarget target) {
        return target.getName().equals(JavaConstructor.CONSTRUCTOR_NAME);
    }

    /** Return whether a method or constructor belongs to the platform. */
    private static boolean isForbidden(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String method = target.getName();
        if (isConstructor(target)) {
            return owner.isAssignableTo(java.util.Date.class)
                    ? target.getRawParameterTypes().isEmpty()
                    : isAnyOf(owner, CREATED);
        }
        return switch (owner.getName()) {
            case "java.lang.System" -> Set.of("nanoTime", "currentTimeMillis").contains(method);
            case "java.lang.Object" -> method.equals("wait");
            case "java.util.concurrent.Executors" -> !method.equals("callable");
            case "java.util.concurrent.TimeUnit" ->
                Set.of("sleep", "timedJoin", "timedWait").contains(method);
            case "java.util.concurrent.locks.LockSupport" -> method.startsWith("park");
            case "java.util.concurrent.ForkJoinPool" -> true;
            case "java.net.URL" -> method.startsWith("open");
            case "java.net.http.HttpClient" -> method.startsWith("new");
            default -> asksTheTime(target) || waits(target) || opensSocket(target) || usesCommonPool(target);
        };
    }

    private static boolean isAnyOf(JavaClass type, Set<Class<?>> types) {
        return types.stream().anyMatch(type::isAssignableTo);
    }

    private static boolean takes(CodeUnitAccessTarget target, Class<?> type) {
        return target.getRawParameterTypes().stream().anyMatch(parameter -> parameter.isEquivalentTo(type));
    }

    private static boolean waits(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String method = target.getName();
        return owner.isAssignableTo(Thread.class) && Set.of("sleep", "join").contains(method)
                || owner.isAssignableTo(Condition.class) && method.startsWith("await")
                || takes(target, TimeUnit.class) && isAnyOf(owner, WAITED_FOR) && !method.startsWith("schedule");
    }

    /** A clock that the caller was given may be asked. */
    private static boolean asksTheTime(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String method = target.getName();
        return owner.getPackageName().startsWith("java.time") && method.equals("now") && !takes(target, Clock.class)
                || owner.isEquivalentTo(Clock.class) && (method.startsWith("system") || method.startsWith("tick"))
                || owner.isEquivalentTo(InstantSource.class) && method.equals("system");
    }

    /** TLS around a socket that exists opens none. */
    private static boolean opensSocket(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String method = target.getName();
        return owner.getPackageName().startsWith("java.nio.channels") && method.equals("open")
                || owner.getName().startsWith("javax.net.")
                        && method.startsWith("createS")
                        && !takes(target, Socket.class);
    }

    private static boolean usesCommonPool(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String method = target.getName();
        return owner.isAssignableTo(CompletableFuture.class)
                        && (Set.of("delayedExecutor", "orTimeout", "completeOnTimeout")
                                        .contains(method)
                                || method.endsWith("Async") && !takes(target, Executor.class))
                || owner.getPackageName().startsWith("java.util") && method.startsWith("parallel");
    }
}
