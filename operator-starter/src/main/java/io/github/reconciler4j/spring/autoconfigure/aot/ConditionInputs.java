package io.github.reconciler4j.spring.autoconfigure.aot;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;

/**
 * What decided which beans an application has when Spring processed it ahead of time: the active profiles and the properties that
 * conditions read. Of the values only digests are kept, since they may come from the environment of the build. Immutable.
 */
final class ConditionInputs {

    private static final String SUFFIX = "__ConditionInputs.txt";

    /** The name that stands for the active profiles. */
    private static final String PROFILES = "spring.profiles.active";

    /**
     * What Spring Boot reads before it evaluates conditions, or in place of what it generates: which context it creates, what it
     * reads definitions from, and how it configures logging.
     */
    private static final List<String> BEFORE_CONDITIONS = List.of(
            "spring.main.web-application-type", "spring.main.sources", "spring.main.sources[0]", "logging.config");

    private static final String MANAGEMENT_PORT = "management.server.port";
    private static final String SEPARATOR = "\t";
    private static final int DIGITS = 16;

    private final List<Input> inputs;

    private ConditionInputs(List<Input> inputs) {
        this.inputs = inputs;
    }

    /**
     * A property and what it led to.
     *
     * @param requirement null if the value itself is compared
     */
    private record Input(String name, @Nullable Requirement requirement, String result) {

        boolean isAsIn(Environment environment) {
            return result.equals(resultIn(environment, name, requirement));
        }

        String line() {
            return requirement == null
                    ? String.join(SEPARATOR, name, result)
                    : String.join(
                            SEPARATOR,
                            name,
                            result,
                            requirement.havingValue(),
                            Boolean.toString(requirement.matchIfMissing()));
        }

        static Input of(String line) {
            String[] columns = line.split(SEPARATOR, -1);
            return new Input(
                    columns[0],
                    columns.length == 2 ? null : new Requirement(columns[2], Boolean.parseBoolean(columns[3])),
                    columns[1]);
        }
    }

    /**
     * What {@code @ConditionalOnProperty} and {@code @ConditionalOnBooleanProperty} require of a property.
     *
     * @param havingValue the value; if it is empty, any but {@code false}
     */
    record Requirement(String havingValue, boolean matchIfMissing) {

        boolean isMetBy(@Nullable String value) {
            if (value == null) {
                return matchIfMissing;
            }
            return havingValue.isEmpty() ? !value.equalsIgnoreCase("false") : havingValue.equalsIgnoreCase(value);
        }
    }

    /** Collects inputs with the results that an environment has for them. Not thread-safe. */
    static final class Builder {

        private final Environment environment;
        private final List<Input> inputs = new ArrayList<>();

        Builder(Environment environment) {
            this.environment = environment;
            add(PROFILES, null);
            BEFORE_CONDITIONS.forEach(name -> add(name, null));
        }

        /** Add a property whose value matters if the requirement is null, or else whether it meets the requirement. */
        void add(String name, @Nullable Requirement requirement) {
            inputs.add(new Input(name, requirement, resultIn(environment, name, requirement)));
        }

        /** Add a property that matters if the management endpoints have a port of their own. */
        void addManagementPort(String name) {
            if (name.equals(MANAGEMENT_PORT) || environment.containsProperty(MANAGEMENT_PORT)) {
                add(name, null);
            }
        }

        ConditionInputs build() {
            return new ConditionInputs(List.copyOf(inputs));
        }
    }

    /** Return the name of the resource with the inputs of an application, which is beside what Spring generates of its main class. */
    static String location(Class<?> main) {
        return main.getName().replace('.', '/') + SUFFIX;
    }

    /** Read what {@link #text} has returned. */
    static ConditionInputs of(String text) {
        return new ConditionInputs(text.lines().map(Input::of).toList());
    }

    /** Return the content of the resource. */
    String text() {
        StringBuilder text = new StringBuilder();
        inputs.forEach(input -> text.append(input.line()).append('\n'));
        return text.toString();
    }

    /** Return the names of the properties that lead to other beans in an environment. */
    SortedSet<String> differences(Environment environment) {
        SortedSet<String> names = new TreeSet<>();
        for (Input input : inputs) {
            if (!input.isAsIn(environment)) {
                names.add(input.name());
            }
        }
        return names;
    }

    private static String resultIn(Environment environment, String name, @Nullable Requirement requirement) {
        if (name.equals(PROFILES)) {
            List<String> profiles = Arrays.asList(environment.getActiveProfiles());
            return digest(
                    profiles.isEmpty()
                            ? List.of(environment.getDefaultProfiles()).toString()
                            : profiles.toString());
        }
        if (name.equals("spring.threads.virtual.enabled")) { // without effect on old versions of Java
            return Boolean.toString(Threading.VIRTUAL.isActive(environment));
        }
        String value = value(environment, name).orElse(null);
        if (requirement != null) {
            return Boolean.toString(requirement.isMetBy(value));
        }
        return value == null ? "" : digest(value);
    }

    private static Optional<String> value(Environment environment, String name) {
        try {
            return Optional.ofNullable(environment.getProperty(name));
        } catch (IllegalArgumentException e) { // a placeholder without a value is reported when the property is used
            return Optional.of("unresolved " + name);
        }
    }

    private static String digest(String value) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
