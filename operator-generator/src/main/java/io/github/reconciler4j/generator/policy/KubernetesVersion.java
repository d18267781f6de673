package io.github.reconciler4j.generator.policy;

import io.github.reconciler4j.generator.GeneratorException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A minor version of Kubernetes. Immutable.
 *
 * @param minor the number after {@code 1.}
 * @since 0.1.0
 */
public record KubernetesVersion(int minor) {

    private static final Pattern FORM = Pattern.compile("v?1\\.(\\d{1,3})(\\..*)?");

    /** The first version with ValidatingAdmissionPolicies that are enabled by default. */
    public static final KubernetesVersion VALIDATION = new KubernetesVersion(30);

    /** The first version with MutatingAdmissionPolicies that are enabled by default. */
    public static final KubernetesVersion MUTATION = new KubernetesVersion(36);

    /**
     * Parse a version, for instance {@code 1.34}.
     *
     * @throws GeneratorException if it is not one
     */
    public static KubernetesVersion parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new GeneratorException("'" + text + "' is not a version of Kubernetes, such as 1.34");
        }
        return new KubernetesVersion(Integer.parseInt(matcher.group(1)));
    }

    boolean isBefore(KubernetesVersion other) {
        return minor < other.minor;
    }

    @Override
    public String toString() {
        return "1." + minor;
    }
}
