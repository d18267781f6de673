package io.github.reconciler4j.paths;

import io.github.reconciler4j.fixtures.ModuleClasses;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Notes which types of the framework have a method that is entered while it records, on the threads of a path. One instance at a
 * time, in a JVM without other tests.
 */
public final class PathTracer implements AutoCloseable {

    private static final Set<String> ENTERED = ConcurrentHashMap.newKeySet();

    private static volatile Predicate<Thread> threads = thread -> false;

    private final Instrumentation instrumentation = ByteBuddyAgent.install();
    private final ResettableClassFileTransformer transformer;

    private PathTracer() throws IOException {
        Set<String> names = ModuleClasses.names();
        names.forEach(PathTracer::load); // one that is loaded while another is transformed would not be noticed
        transformer = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
                .type(ElementMatchers.namedOneOf(names.toArray(String[]::new)))
                .transform((builder, type, loader, module, domain) -> builder.visit(Advice.to(Entry.class)
                        .on(ElementMatchers.isMethod().and(ElementMatchers.not(ElementMatchers.isAbstract())))))
                .installOn(instrumentation);
    }

    /** Instruments the framework until closed. */
    static PathTracer open() throws IOException {
        return new PathTracer();
    }

    private static void load(String name) {
        try {
            Class.forName(name, false, PathTracer.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new AssertionError("The framework has a class that cannot be loaded: " + name, e);
        }
    }

    /** Start to record the entries on some threads. */
    void record(Predicate<Thread> onThreads) {
        ENTERED.clear();
        threads = onThreads;
    }

    /** End the record and return the names of the types. Also called by the code that is the end of the path. */
    Set<String> end() {
        threads = thread -> false;
        return new TreeSet<>(ENTERED);
    }

    /** Called by each method of the framework. */
    public static void entered(String type) {
        if (threads.test(Thread.currentThread())) {
            ENTERED.add(type);
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
        static void enter(@Advice.Origin("#t") String type) {
            PathTracer.entered(type);
        }
    }
}
