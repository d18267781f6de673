package io.github.reconciler4j.generator.compatibility;

import io.github.reconciler4j.generator.GeneratorException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Options of {@link CrdCompatibility}. Immutable.
 *
 * @since 0.1.0
 */
public final class CompatibilityOptions {

    private static final CompatibilityOptions DEFAULTS = new CompatibilityOptions(Map.of(), true);

    private final Map<CrdRule, Severity> severities;
    private final boolean trustConversion;

    private CompatibilityOptions(Map<CrdRule, Severity> severities, boolean trustConversion) {
        this.severities = Map.copyOf(severities);
        this.trustConversion = trustConversion;
    }

    /** Return the defaults: each rule's own severity; versions that a webhook converts are not compared. */
    public static CompatibilityOptions defaults() {
        return DEFAULTS;
    }

    /** Return the severity of a rule. */
    public Severity severity(CrdRule rule) {
        return severities.getOrDefault(rule, rule.severity());
    }

    /** Return whether served versions of one definition may differ in any way if a webhook converts between them. */
    public boolean trustConversion() {
        return trustConversion;
    }

    /** Return a copy of these options with the given severity of a rule. */
    public CompatibilityOptions withSeverity(CrdRule rule, Severity severity) {
        Map<CrdRule, Severity> changed = new EnumMap<>(CrdRule.class);
        changed.putAll(severities);
        changed.put(rule, severity);
        return new CompatibilityOptions(changed, trustConversion);
    }

    /**
     * Return a copy of these options with severities by the names of rules, for instance
     * {@code enum-value-added -> error}.
     *
     * @throws GeneratorException if there is no such rule or severity
     */
    public CompatibilityOptions withSeverities(Map<String, String> byId) {
        CompatibilityOptions result = this;
        for (Map.Entry<String, String> entry : byId.entrySet()) {
            CrdRule rule = CrdRule.find(entry.getKey())
                    .orElseThrow(() -> new GeneratorException("There is no rule '" + entry.getKey()
                            + "'; the rules are "
                            + Arrays.stream(CrdRule.values()).map(CrdRule::id).collect(Collectors.joining(", "))));
            result = result.withSeverity(rule, severity(entry.getKey(), entry.getValue()));
        }
        return result;
    }

    private static Severity severity(String rule, String text) {
        try {
            return Severity.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new GeneratorException(
                    "The severity of the rule '" + rule + "' must be error, warning or ignore, was '" + text + "'", e);
        }
    }

    /** Return a copy of these options that trusts conversion webhooks or does not. */
    public CompatibilityOptions withTrustConversion(boolean trustConversion) {
        return new CompatibilityOptions(severities, trustConversion);
    }

    @Override
    public String toString() {
        return "CompatibilityOptions[severities=" + severities + ", trustConversion=" + trustConversion + "]";
    }
}
