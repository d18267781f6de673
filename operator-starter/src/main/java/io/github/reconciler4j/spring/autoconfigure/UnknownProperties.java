package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.support.NearestName;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Reports properties below {@code reconciler4j} that do not exist. Environment variables are only warned of, since
 * Kubernetes itself adds some for a Service of that name.
 */
final class UnknownProperties {

    private static final Logger LOG = LoggerFactory.getLogger(UnknownProperties.class);
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(OperatorProperties.PREFIX);

    /** Read by the test support. */
    private static final ConfigurationPropertyName TEST = ROOT.append("test");

    private static final Pattern SERVICE_LINK =
            Pattern.compile("RECONCILER4J_(.+_)?(SERVICE_HOST|SERVICE_PORT.*|PORT.*)");
    private static final String ANY = "*";
    private static final String ANYTHING_BELOW = "**";

    private final List<List<String>> known = new ArrayList<>();

    UnknownProperties() {
        collect(List.of(OperatorProperties.PREFIX), OperatorProperties.class);
        collect(List.of(OperatorProperties.PREFIX, "webhook"), WebhookProperties.class);
    }

    private void collect(List<String> prefix, Class<?> type) {
        for (RecordComponent component : type.getRecordComponents()) {
            List<String> name = with(prefix, DataObjectPropertyName.toDashedForm(component.getName()));
            if (component.getType().isRecord()) {
                collect(name, component.getType());
            } else if (Map.class.isAssignableFrom(component.getType())) {
                Type value = ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[1];
                if (value instanceof Class<?> values && values.isRecord()) {
                    collect(with(name, ANY), values);
                } else {
                    known.add(with(name, ANYTHING_BELOW));
                }
            } else {
                known.add(Collection.class.isAssignableFrom(component.getType()) ? with(name, ANYTHING_BELOW) : name);
                if (Collection.class.isAssignableFrom(component.getType())) {
                    known.add(name);
                }
            }
        }
    }

    private static List<String> with(List<String> prefix, String element) {
        List<String> longer = new ArrayList<>(prefix);
        longer.add(element);
        return List.copyOf(longer);
    }

    /**
     * Check all sources of properties.
     *
     * @throws OperatorConfigurationException if a property outside of the process environment is unknown
     */
    void check(Environment environment) {
        List<String> problems = new ArrayList<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                check(source, names, problems);
            }
        }
        if (!problems.isEmpty()) {
            throw new OperatorConfigurationException(
                    problems.stream().distinct().collect(Collectors.joining(System.lineSeparator())),
                    "Correct the name or remove the property. (R4J-305)");
        }
    }

    private void check(
            ConfigurationPropertySource source, IterableConfigurationPropertySource names, List<String> problems) {
        if (isProcessEnvironment(source)) {
            checkEnvironment((PropertySource<?>) Objects.requireNonNull(source.getUnderlyingSource()));
            return;
        }
        names.stream()
                .filter(name -> ROOT.isAncestorOf(name) && !isKnown(name))
                .map(name -> describe(name, source))
                .forEach(problems::add);
    }

    private static boolean isProcessEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && underlying.getName().endsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
    }

    private String describe(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        var property = source.getConfigurationProperty(name);
        String origin = property == null || property.getOrigin() == null ? "" : " (" + property.getOrigin() + ")";
        return "The property '" + name + "'" + origin + " does not exist."
                + nearest(name.toString())
                        .map(found -> " Did you mean '" + found + "'?")
                        .orElse("");
    }

    private boolean isKnown(ConfigurationPropertyName name) {
        return TEST.isAncestorOf(name) || known.stream().anyMatch(pattern -> matches(pattern, name));
    }

    private static boolean matches(List<String> pattern, ConfigurationPropertyName name) {
        int size = name.getNumberOfElements();
        for (int i = 0; i < pattern.size(); i++) {
            String element = pattern.get(i);
            if (element.equals(ANYTHING_BELOW)) {
                return size > i;
            }
            if (i >= size
                    || (!element.equals(ANY) && !uniform(element).equals(uniform(name.getElement(i, Form.UNIFORM))))) {
                return false;
            }
        }
        return pattern.size() == size;
    }

    private static String uniform(String element) {
        return element.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    /** Names of variables do not show where an element ends, so they are compared without separators. */
    private void checkEnvironment(PropertySource<?> source) {
        if (!(source.getSource() instanceof Map<?, ?> variables)) {
            return;
        }
        for (Object key : variables.keySet()) {
            String name = key.toString();
            String upper = name.toUpperCase(Locale.ROOT);
            boolean ours = upper.startsWith(OperatorProperties.PREFIX.toUpperCase(Locale.ROOT) + "_");
            if (ours && !SERVICE_LINK.matcher(upper).matches() && !isKnownVariable(upper)) {
                LOG.warn("The environment variable {} does not correspond to a property of the operator", name);
            }
        }
    }

    private boolean isKnownVariable(String upper) {
        String text = uniform(upper);
        return text.startsWith(uniform(TEST.toString()))
                || known.stream()
                        .map(pattern -> pattern.stream()
                                .map(element -> element.startsWith(ANY) ? ".+" : uniform(element))
                                .collect(Collectors.joining()))
                        .anyMatch(text::matches);
    }

    /** Return the known name that differs least, if it differs little. */
    private Optional<String> nearest(String name) {
        String[] elements = name.split("\\.");
        return NearestName.of(
                name, known.stream().map(pattern -> fill(pattern, elements)).toList());
    }

    private static String fill(List<String> pattern, String[] elements) {
        List<String> filled = new ArrayList<>();
        for (int i = 0; i < pattern.size(); i++) {
            String element = pattern.get(i);
            if (!element.equals(ANYTHING_BELOW)) {
                filled.add(element.equals(ANY) && i < elements.length ? elements[i] : element);
            }
        }
        return String.join(".", filled);
    }
}
