package io.github.reconciler4j.generator;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;

/** Fills the templates of a new kind. They are Velocity's, because Maven creates a project from the same ones. */
final class Scaffold {

    private final VelocityEngine engine = new VelocityEngine();
    private final Map<String, Object> values;

    /** Create one with the values of references. */
    Scaffold(Map<String, ?> values) {
        this.values = new HashMap<>(values);
    }

    /** Return the text of a template. */
    String filled(String template) {
        StringWriter text = new StringWriter();
        engine.evaluate(new VelocityContext(values), text, template, read(template));
        return text.toString();
    }

    /** Return a template. */
    static String read(String template) {
        String path = "scaffold/" + template;
        try (InputStream stream = Objects.requireNonNull(Scaffold.class.getResourceAsStream(path), path)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new GeneratorException("Cannot read a template: " + e.getMessage(), e);
        }
    }
}
