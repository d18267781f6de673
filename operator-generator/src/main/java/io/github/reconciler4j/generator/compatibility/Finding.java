package io.github.reconciler4j.generator.compatibility;

/**
 * One breaking change. Immutable.
 *
 * @param rule the rule that found it
 * @param severity how severe it is
 * @param place the name of the definition, the version or versions, and the path of the field
 * @param message what changed and whom it breaks
 * @since 0.1.0
 */
public record Finding(CrdRule rule, Severity severity, String place, String message) {

    /** Return the finding as a line for people. */
    @Override
    public String toString() {
        return severity + " " + place + ": " + message + " [" + rule.id() + "]";
    }
}
