package io.github.reconciler4j.grid;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/**
 * Makes every method of the framework a place where an error can happen, as a stack that overflows or a class that cannot be
 * loaded: each method first asks the plan of its thread. A thread inherits the plan of the thread that creates it.
 */
public final class FaultPoints implements AutoCloseable {

    private static final Path CLASSES = Path.of("target", "classes");
    private static final InheritableThreadLocal<@Nullable FaultPlan> PLAN = new InheritableThreadLocal<>();

    private final Instrumentation instrumentation = ByteBuddyAgent.install();
    private final ResettableClassFileTransformer transformer;

    private FaultPoints() throws IOException {
        Set<String> names = names();
        transformer = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
                .type(
                        ElementMatchers.namedOneOf(names.toArray(String[]::new)),
                        ElementMatchers.is(
                                FaultPoints.class.getClassLoader())) // another test may have loaded them, too
                .transform((builder, type, loader, module, domain) -> builder.visit(Advice.to(Entry.class)
                        .on(ElementMatchers.isMethod().and(ElementMatchers.not(ElementMatchers.isAbstract())))))
                .installOn(instrumentation);
    }

    /** Instrument the framework until closed. */
    static FaultPoints open() throws IOException {
        return new FaultPoints();
    }

    private static Set<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.map(file -> CLASSES.relativize(file).toString())
                    .filter(file -> file.endsWith(".class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .collect(Collectors.toSet());
        }
    }

    /** Let the threads that the calling thread creates from now on follow a plan. */
    static void follow(@Nullable FaultPlan plan) {
        PLAN.set(plan);
    }

    /** Called by each method of the framework. */
    public static void reached(String method) {
        FaultPlan plan = PLAN.get();
        if (plan != null) {
            plan.reached(method);
        }
    }

    @Override
    public void close() {
        transformer.reset(instrumentation, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
    }

    /** Copied to the beginning of each method. */
    static final class Entry {

        private Entry() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.Origin("#t.#m") String method) {
            FaultPoints.reached(method);
        }
    }
}
