package io.github.reconciler4j.spring.autoconfigure.observation;

import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Optional;

/** The method of the application that writes, which is the step of a reconciliation. Stateless. */
final class WritingStep {

    private static final String FRAMEWORK = "io.github.reconciler4j.";

    /** What is below {@link #FRAMEWORK} and can be on the stack of a write; samples are applications, too. */
    private static final List<String> OWN = List.of(
            "builder.",
            "client.",
            "cluster.",
            "controller.",
            "finalizer.",
            "manager.",
            "objectset.",
            "recorder.",
            "sharding.",
            "spring.",
            "support.",
            "webhook.");

    private static final List<String> OTHERS =
            List.of("java.", "javax.", "jdk.", "sun.", "org.springframework.", "io.micrometer.");

    private static final int MAX_FRAMES = 80;

    private WritingStep() {}

    /** Return the method of the application that was called last, as {@code Class.method}; {@code ""} if there is no such method. */
    static String now() {
        Optional<StackFrame> frame = StackWalker.getInstance()
                .walk(frames -> frames.limit(MAX_FRAMES)
                        .filter(WritingStep::isOfApplication)
                        .findFirst());
        return frame.map(WritingStep::text).orElse("");
    }

    static boolean isOfApplication(StackFrame frame) {
        String type = frame.getClassName();
        boolean own =
                type.startsWith(FRAMEWORK) && OWN.stream().anyMatch(each -> type.startsWith(each, FRAMEWORK.length()));
        return !own && OTHERS.stream().noneMatch(type::startsWith);
    }

    /** A lambda has the method that contains it, a proxy the class that it stands for. */
    private static String text(StackFrame frame) {
        String type = frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
        int proxy = type.indexOf("$$");
        String[] lambda = frame.getMethodName().split("\\$");
        boolean isLambda = lambda.length > 1 && lambda[0].equals("lambda");
        return (proxy > 0 ? type.substring(0, proxy) : type).replace('$', '.') + "."
                + (isLambda ? lambda[1] : frame.getMethodName());
    }
}
