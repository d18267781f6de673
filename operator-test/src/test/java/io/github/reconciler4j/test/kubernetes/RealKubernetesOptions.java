package io.github.reconciler4j.test.kubernetes;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What an instance consists of. Immutable.
 *
 * @param components the processes to run (default all); always with {@code ETCD} and {@code APISERVER}
 * @param arguments further arguments of single components as {@code COMPONENT=FLAG}, for instance
 *     {@code apiserver=--min-request-timeout=5} (default none)
 * @param missingControllers controllers that the controller manager does not run, for instance {@code deployment}
 *     (default none)
 */
public record RealKubernetesOptions(
        Set<KubernetesComponent> components, List<String> arguments, Set<String> missingControllers) {

    private static final RealKubernetesOptions DEFAULTS =
            new RealKubernetesOptions(EnumSet.allOf(KubernetesComponent.class), List.of(), Set.of());

    /** Copies both collections and adds the components that every instance needs. */
    public RealKubernetesOptions {
        Set<KubernetesComponent> all = EnumSet.of(KubernetesComponent.ETCD, KubernetesComponent.APISERVER);
        all.addAll(components);
        components = Set.copyOf(all);
        arguments = List.copyOf(arguments);
        missingControllers = Set.copyOf(missingControllers);
    }

    /** Returns all components, without further arguments. */
    public static RealKubernetesOptions defaults() {
        return DEFAULTS;
    }

    /** Returns these options with only the given components, and those that every instance needs; starts faster. */
    public RealKubernetesOptions withOnly(KubernetesComponent... only) {
        return new RealKubernetesOptions(Set.copyOf(Arrays.asList(only)), arguments, missingControllers);
    }

    /**
     * Returns these options with a further argument of a component.
     *
     * @param component the component that gets it
     * @param flag the whole flag, for instance {@code --min-request-timeout=5}
     */
    public RealKubernetesOptions withArgument(KubernetesComponent component, String flag) {
        String argument = component.scriptName() + "=" + flag;
        return new RealKubernetesOptions(
                components,
                Stream.concat(arguments.stream(), Stream.of(argument)).toList(),
                missingControllers);
    }

    /** Returns these options without some of the controllers of the controller manager. */
    public RealKubernetesOptions withoutControllers(String... controllers) {
        return new RealKubernetesOptions(components, arguments, Set.copyOf(Arrays.asList(controllers)));
    }
}
