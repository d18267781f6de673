package io.github.reconciler4j.generator.operator;

import io.github.reconciler4j.generator.GeneratorException;
import java.util.regex.Pattern;

/**
 * A value of the chart that turns something of the operator on or off by a boolean property. What the operator needs only
 * when it is on is granted only then. Immutable.
 *
 * @param value the value of the chart, with dots, for instance {@code secrets.enabled}
 * @param property the property of the application, for instance {@code sample.secrets.enabled}
 * @param description the comment in {@code values.yaml}
 * @since 0.1.0
 */
public record Switch(String value, String property, String description) {

    private static final Pattern VALUE = Pattern.compile("[a-zA-Z][a-zA-Z0-9]*(\\.[a-zA-Z][a-zA-Z0-9]*)*");

    private static final Pattern PROPERTY = Pattern.compile("[\\p{L}\\p{N}._/\\-\\[\\]]+");

    /** The switch of operators with webhooks, which is always there. */
    public static final Switch WEBHOOKS = new Switch(
            "webhook.enabled",
            "reconciler4j.webhook.enabled",
            "Whether the API server calls the webhooks of the operator.");

    /** Checks the names, and puts the description on one line. */
    public Switch {
        if (!VALUE.matcher(value).matches()) {
            throw new GeneratorException(
                    "The switch '" + value + "' must be a path of letters and digits, such as secrets.enabled");
        }
        if (!PROPERTY.matcher(property).matches()) {
            throw new GeneratorException("The property '" + property + "' of the switch '" + value
                    + "' must consist of letters, digits, dots, dashes, slashes and brackets");
        }
        description = description.replaceAll("\\s+", " ").strip();
    }

    /** Return the switch that a text of the form {@code value=property=description} describes. */
    public static Switch parse(String text) {
        String[] parts = text.split("=", 3);
        if (parts.length < 2) {
            throw new GeneratorException(
                    "The switch '" + text + "' must have the form value=property or value=property=description");
        }
        return new Switch(parts[0], parts[1], parts.length > 2 ? parts[2] : "Whether " + parts[1] + " is true.");
    }
}
