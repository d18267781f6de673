package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.manager.Cluster;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one controller, or of all, from several layers. The first layer that has a value for a setting decides.
 * Immutable.
 */
final class ControllerSettings {

    /** The word for the cluster of the operator. */
    private static final String HOME = "home";

    private final List<Layer> layers;

    /**
     * Create settings.
     *
     * @param layers the layers, the strongest first
     */
    ControllerSettings(Layer... layers) {
        this.layers = List.of(layers);
    }

    /**
     * One setting, and what it changes.
     *
     * @param name the name as in properties
     * @param getter returns the value in a layer; null if the layer has none
     * @param scope what has such a setting
     * @param option changes the options of a controller; null if that is not what the setting changes
     * @param kind changes the builder of a controller for a kind; null if that is not what the setting changes
     */
    record Setting<V>(
            String name,
            Function<ControllerProperties, @Nullable V> getter,
            Scope scope,
            @Nullable OptionSetter<V> option,
            @Nullable KindSetter<V> kind) {

        /** What has a setting. */
        enum Scope {
            CONTROLLER,
            CONTROLLER_OF_A_KIND,
            BEAN
        }

        /** Changes options, and can look at other settings. */
        @FunctionalInterface
        interface OptionSetter<V> {
            ControllerOptions set(ControllerOptions options, V value, ControllerSettings all);
        }

        /** Changes the builder of a controller for a kind, and can look at other settings. */
        @FunctionalInterface
        interface KindSetter<V> {
            void set(ControllerBuilder<?> builder, V value, ControllerSettings all);
        }

        /** Return a setting of any controller that depends on another setting. */
        static <V> Setting<V> ofPair(
                String name, Function<ControllerProperties, @Nullable V> getter, OptionSetter<V> option) {
            return new Setting<>(name, getter, Scope.CONTROLLER, option, null);
        }

        /** Return a setting of controllers for a kind. */
        static <V> Setting<V> ofKind(
                String name,
                Function<ControllerProperties, @Nullable V> getter,
                BiConsumer<ControllerBuilder<?>, V> kind) {
            return ofKindAndPair(name, getter, (builder, value, all) -> kind.accept(builder, value));
        }

        /** Return a setting of controllers for a kind that depends on another setting. */
        static <V> Setting<V> ofKindAndPair(
                String name, Function<ControllerProperties, @Nullable V> getter, KindSetter<V> kind) {
            return new Setting<>(name, getter, Scope.CONTROLLER_OF_A_KIND, null, kind);
        }

        /** Return a setting that decides whether and where there is a controller for a bean. */
        static <V> Setting<V> ofBean(String name, Function<ControllerProperties, @Nullable V> getter) {
            return new Setting<>(name, getter, Scope.BEAN, null, null);
        }
    }

    /**
     * One source of values, and how it reports a problem.
     *
     * @param values the values; null if there are none
     * @param ofOne whether the values are for one controller, instead of for all
     * @param report returns the exception for the name of a setting and a problem, which continues the sentence
     */
    record Layer(@Nullable ControllerProperties values, boolean ofOne, Report report) {

        /** Creates an exception. */
        @FunctionalInterface
        interface Report {
            OperatorConfigurationException of(String setting, String problem, @Nullable Throwable cause);
        }

        /** Create a layer of properties below a prefix. */
        static Layer ofProperties(String prefix, boolean ofOne, @Nullable ControllerProperties values) {
            return new Layer(
                    values,
                    ofOne,
                    (name, problem, cause) ->
                            OperatorConfigurationException.property(prefix + "." + name, problem, cause));
        }

        /** Return the value of a setting. */
        <V> Optional<V> get(Setting<V> setting) {
            return values == null
                    ? Optional.empty()
                    : Optional.ofNullable(setting.getter().apply(values));
        }

        private <V, O> Optional<O> map(Setting<V> setting, Function<V, O> use) {
            try {
                return get(setting).map(use);
            } catch (IllegalArgumentException e) {
                throw report.of(setting.name(), "has an invalid value: " + e.getMessage(), e);
            }
        }
    }

    /** Return the value of a setting. */
    <V> Optional<V> get(Setting<V> setting) {
        return layers.stream().flatMap(layer -> layer.get(setting).stream()).findFirst();
    }

    private <V, O> Optional<O> map(Setting<V> setting, Function<V, O> use) {
        return layers.stream()
                .filter(layer -> layer.get(setting).isPresent())
                .findFirst()
                .flatMap(layer -> layer.map(setting, use));
    }

    /** Return the clusters in which the controller runs; empty for that of the operator alone. */
    Optional<Predicate<Cluster>> clusters() {
        return map(ControllerProperties.CLUSTERS, words -> {
            ControllerSelection selection = ControllerSelection.of(words);
            return cluster ->
                    cluster.name().isEmpty() ? selection.selects(HOME, false) : selection.selects(cluster.name(), true);
        });
    }

    /** Set everything that a layer sets for a controller of a kind. */
    void applyTo(ControllerBuilder<?> builder) {
        ControllerProperties.SETTINGS.forEach(setting -> applyTo(builder, setting));
        builder.customizeOptions(this::applyTo);
    }

    private <V> void applyTo(ControllerBuilder<?> builder, Setting<V> setting) {
        Setting.KindSetter<V> setter = setting.kind();
        if (setter != null) {
            map(setting, value -> {
                setter.set(builder, value, this);
                return value;
            });
        }
    }

    /** Return options with all values that a layer sets. */
    ControllerOptions applyTo(ControllerOptions defaults) {
        ControllerOptions options = defaults;
        for (Setting<?> setting : ControllerProperties.SETTINGS) {
            options = applyTo(options, setting);
        }
        return options;
    }

    private <V> ControllerOptions applyTo(ControllerOptions options, Setting<V> setting) {
        Setting.OptionSetter<V> setter = setting.option();
        return setter == null
                ? options
                : map(setting, value -> setter.set(options, value, this)).orElse(options);
    }

    /**
     * Refuse settings for this controller alone that it cannot have.
     *
     * @param controller what it is, as the end of a sentence
     */
    void refuse(Predicate<Setting.Scope> scopes, String controller) {
        for (Setting<?> setting : ControllerProperties.SETTINGS) {
            if (scopes.test(setting.scope())) {
                refuse(setting, controller);
            }
        }
    }

    /** Refuse one setting for this controller alone. */
    void refuse(Setting<?> setting, String controller) {
        for (Layer layer : layers) {
            if (layer.ofOne() && layer.get(setting).isPresent()) {
                throw layer.report().of(setting.name(), "has no effect on a controller " + controller, null);
            }
        }
    }
}
