package io.github.reconciler4j.spring.autoconfigure.aot;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The first source of properties while Spring processes an application ahead of time. It has no properties, and remembers which
 * ones are asked for. Not thread-safe.
 */
final class ConditionRecorder extends EnumerablePropertySource<Map<String, Object>> {

    private static final String NAME = "reconciler4jConditionRecorder";
    private static final String PROPERTY_CONDITION =
            "org.springframework.boot.autoconfigure.condition.OnPropertyCondition";
    private static final String NESTED_CONDITIONS =
            "org.springframework.boot.autoconfigure.condition.AbstractNestedCondition";
    private static final String PORT_CONDITION =
            "org.springframework.boot.actuate.autoconfigure.web.server.OnManagementPortCondition";

    /** What evaluates conditions: the definitions of the application's sources, and then of all others. */
    private static final Set<String> EVALUATORS = Set.of(
            "org.springframework.boot.BeanDefinitionLoader",
            "org.springframework.context.support.PostProcessorRegistrationDelegate");

    /** Who asks for a property. */
    enum Reader {
        /** A condition that an annotation of a class or of a method states. */
        ANNOTATION,

        /** Whether the management endpoints have a port of their own. */
        MANAGEMENT_PORT,

        /** Anything else. */
        OTHER
    }

    private final Class<?> main;
    private final StandardEnvironment before;
    private final Map<String, Set<Reader>> readers = new TreeMap<>();

    private ConditionRecorder(Class<?> main, StandardEnvironment before) {
        super(NAME, Map.of());
        this.main = main;
        this.before = before;
    }

    /** Record what the environment of an application is asked for from now on. */
    static void addTo(ConfigurableEnvironment environment, Class<?> main) {
        StandardEnvironment before = new StandardEnvironment();
        MutablePropertySources copy = before.getPropertySources();
        List.copyOf(copy.stream().toList()).forEach(source -> copy.remove(source.getName()));
        environment.getPropertySources().stream()
                .filter(source -> !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source))
                .forEach(copy::addLast);
        ConfigurationPropertySources.attach(before);
        before.setActiveProfiles(environment.getActiveProfiles());
        before.setDefaultProfiles(environment.getDefaultProfiles());
        environment.getPropertySources().addFirst(new ConditionRecorder(main, before));
    }

    /** Return the recorder of an environment, null if it has none. */
    static @Nullable ConditionRecorder of(ConfigurableEnvironment environment) {
        PropertySource<?> source = environment.getPropertySources().get(NAME);
        return source instanceof ConditionRecorder recorder ? recorder : null;
    }

    /** Return the main class of the application. */
    Class<?> main() {
        return main;
    }

    /** Return the environment as it was when this recorder was added: that of a start, before its conditions are evaluated. */
    StandardEnvironment before() {
        return before;
    }

    /** Return the names that were asked for, and by whom. */
    Map<String, Set<Reader>> readers() {
        return readers;
    }

    @Override
    public String[] getPropertyNames() {
        return new String[0];
    }

    @Override
    public boolean containsProperty(String name) {
        record(name);
        return false;
    }

    @Override
    public @Nullable Object getProperty(String name) {
        record(name);
        return null;
    }

    private void record(String name) {
        Set<String> callers = StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName).collect(Collectors.toSet()));
        if (EVALUATORS.stream().anyMatch(callers::contains)) {
            readers.computeIfAbsent(name, key -> EnumSet.noneOf(Reader.class)).add(reader(callers));
        }
    }

    private static Reader reader(Set<String> callers) {
        if (callers.contains(PORT_CONDITION)) {
            return Reader.MANAGEMENT_PORT;
        }
        return callers.contains(PROPERTY_CONDITION) && !callers.contains(NESTED_CONDITIONS)
                ? Reader.ANNOTATION
                : Reader.OTHER;
    }
}
