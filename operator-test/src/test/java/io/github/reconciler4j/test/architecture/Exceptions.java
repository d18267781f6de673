package io.github.reconciler4j.test.architecture;

import static java.util.stream.Collectors.joining;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A condition with exceptions, each with its reason. An exception that nothing needs any more is a violation too.
 *
 * <p>An exception names a class and what it uses, both without their packages: {@code "HostAddresses Future.get"}.
 */
abstract class Exceptions extends ArchCondition<JavaClass> {

    private final Map<String, String> reasons;
    private final Set<String> needed = new HashSet<>();

    Exceptions(String description, Map<String, String> reasons) {
        super(description);
        this.reasons = reasons;
    }

    /** What a class uses and should not. */
    record Use(String what, String text) {}

    abstract Stream<Use> uses(JavaClass item);

    @Override
    public void init(Collection<JavaClass> all) {
        needed.clear();
    }

    @Override
    public void check(JavaClass item, ConditionEvents events) {
        uses(item).forEach(use -> {
            String exception = outermost(item).getSimpleName() + " " + use.what();
            if (reasons.containsKey(exception)) {
                needed.add(exception);
            } else {
                events.add(SimpleConditionEvent.violated(item, "'" + exception + "': " + use.text()));
            }
        });
    }

    @Override
    public void finish(ConditionEvents events) {
        String unneeded = reasons.keySet().stream()
                .filter(exception -> !needed.contains(exception))
                .sorted()
                .collect(joining(", "));
        if (!unneeded.isEmpty()) {
            events.add(SimpleConditionEvent.violated(reasons, "Nothing needs these exceptions: " + unneeded));
        }
    }

    static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(Exceptions::outermost).orElse(type);
    }
}
