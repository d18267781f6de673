package io.github.reconciler4j.builder;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.ComponentDefaults;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.KindName;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The customizers of all controllers of one manager. An option comes from the first of: the overrides, the builder of the
 * controller, the defaults, and {@link ControllerOptions#defaults()}. Immutable.
 *
 * <!-- snippet: TunedControllers -->
 * <pre>{@code
 * ControllerCustomizers customizers = ControllerCustomizers.none()
 *         .withDefaults(controller ->
 *                 controller.customizeOptions(options -> options.withReconcileTimeout(Duration.ofMinutes(1))));
 * return ManagerOptions.defaults().withComponentDefaults(customizers);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ControllerCustomizers implements ComponentDefaults {

    private static final ControllerCustomizers NONE = new ControllerCustomizers(List.of(), List.of());

    private final List<ControllerCustomizer<? super ConfigurableController>> defaults;
    private final List<ControllerCustomizer<? super ConfigurableController>> overrides;

    private ControllerCustomizers(
            List<ControllerCustomizer<? super ConfigurableController>> defaults,
            List<ControllerCustomizer<? super ConfigurableController>> overrides) {
        this.defaults = List.copyOf(defaults);
        this.overrides = List.copyOf(overrides);
    }

    /** Return no customizers. */
    public static ControllerCustomizers none() {
        return NONE;
    }

    /** Return the customizers of a manager; none if its options have none. */
    public static ControllerCustomizers of(Manager manager) {
        return manager.options().componentDefaults(ControllerCustomizers.class).orElse(NONE);
    }

    /** Return a copy with a customizer whose options each builder can override. It is called after those added before. */
    public ControllerCustomizers withDefaults(ControllerCustomizer<? super ConfigurableController> added) {
        return new ControllerCustomizers(and(defaults, added), overrides);
    }

    /** Return a copy with a customizer that overrides what builders set. It is called after those added before. */
    public ControllerCustomizers withOverrides(ControllerCustomizer<? super ConfigurableController> added) {
        return new ControllerCustomizers(defaults, and(overrides, added));
    }

    private static List<ControllerCustomizer<? super ConfigurableController>> and(
            List<ControllerCustomizer<? super ConfigurableController>> before,
            ControllerCustomizer<? super ConfigurableController> added) {
        Objects.requireNonNull(added, "'customizer' must not be null");
        return Stream.concat(before.stream(), Stream.of(added)).toList();
    }

    /**
     * Return the options of a controller.
     *
     * @param kind the primary kind; null if it has none
     * @param own what the builder changes
     */
    ControllerOptions options(String name, @Nullable KindName kind, UnaryOperator<ControllerOptions> own) {
        Customized controller = new Customized(name, kind);
        defaults.forEach(each -> each.customize(controller));
        controller.customizeOptions(own);
        overrides.forEach(each -> each.customize(controller));
        return controller.options;
    }

    private static final class Customized implements ConfigurableController {

        private final String name;
        private final @Nullable KindName kind;
        private ControllerOptions options = ControllerOptions.defaults();

        private Customized(String name, @Nullable KindName kind) {
            this.name = name;
            this.kind = kind;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Optional<KindName> kind() {
            return Optional.ofNullable(kind);
        }

        @Override
        public ConfigurableController customizeOptions(UnaryOperator<ControllerOptions> change) {
            options = Objects.requireNonNull(change.apply(options), "'options' must not be null");
            return this;
        }
    }
}
