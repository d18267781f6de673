package io.github.reconciler4j.generator;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Writes the classes of a new kind: resource, spec, status, reconciler and test. */
final class NewKindCommand implements Main.Command {

    private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");
    private static final Pattern GROUP =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+");
    private static final Pattern PACKAGE = Pattern.compile("[a-z_][a-zA-Z0-9_]*(\\.[a-z_][a-zA-Z0-9_]*)*");

    @Override
    public String usage() {
        return """
                  Write the classes of a new kind: resource, spec, status, reconciler and test; and an example.
                  --kind NAME                   the kind, for instance Database (required)
                  --group GROUP                 the API group, for instance example.com (required)
                  --package PACKAGE             the Java package (required)
                  --plural NAME                 the name of the resource; by default from the kind
                  --sources DIR                 src/main/java by default
                  --tests DIR                   src/test/java by default
                  --examples DIR                examples by default
                """;
    }

    @Override
    public void run(Arguments arguments) {
        String kind = checked("kind", arguments.required("kind"), KIND, "a word like Database");
        String group = checked("group", arguments.required("group"), GROUP, "a domain like example.com");
        String inPackage = checked("package", arguments.required("package"), PACKAGE, "a Java package");
        String plural = arguments.one("plural").orElse(plural(kind));
        String folders = inPackage.replace('.', '/');
        Path sources = Path.of(arguments.one("sources").orElse("src/main/java"), folders);
        Path tests = Path.of(arguments.one("tests").orElse("src/test/java"), folders);
        Path examples = Path.of(arguments.one("examples").orElse("examples"));
        arguments.checkAllUsed();
        Map<String, String> values = Map.of("kind", kind, "group", group, "package", inPackage, "plural", plural);
        Map<Path, String> files = new LinkedHashMap<>();
        for (String suffix : new String[] {"", "Spec", "Status", "Reconciler"}) {
            files.put(sources.resolve(kind + suffix + ".java"), filled("main/__kind__" + suffix + ".java", values));
        }
        files.put(tests.resolve(kind + "Tests.java"), filled("test/__kind__Tests.java", values));
        files.put(examples.resolve(plural + ".yaml"), filled("examples/__plural__.yaml", values));
        for (Path file : files.keySet()) {
            if (Files.exists(file)) {
                throw new GeneratorException(file + " exists already: choose another kind, or delete the file");
            }
        }
        files.forEach((file, text) -> {
            OutputFiles.write(file, text);
            System.out.println(file);
        });
    }

    private static String checked(String option, String value, Pattern pattern, String expected) {
        if (!pattern.matcher(value).matches()) {
            throw new Arguments.UsageException("The " + option + " must be " + expected + ", was '" + value + "'");
        }
        return value;
    }

    private static String plural(String kind) {
        String lower = kind.toLowerCase(Locale.ROOT);
        if (lower.matches(".*[^aeiou]y")) {
            return lower.substring(0, lower.length() - 1) + "ies";
        }
        return lower.matches(".*(s|x|z|ch|sh)") ? lower + "es" : lower + "s";
    }

    private static String filled(String template, Map<String, String> values) {
        String text;
        String path = "scaffold/" + template;
        try (InputStream stream = Objects.requireNonNull(NewKindCommand.class.getResourceAsStream(path), path)) {
            text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new GeneratorException("Cannot read a template: " + e.getMessage(), e);
        }
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("${" + value.getKey() + "}", value.getValue());
        }
        return text;
    }
}
