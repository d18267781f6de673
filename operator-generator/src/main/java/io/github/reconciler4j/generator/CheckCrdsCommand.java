package io.github.reconciler4j.generator;

import io.github.reconciler4j.generator.compatibility.CompatibilityOptions;
import io.github.reconciler4j.generator.compatibility.CrdCompatibility;
import io.github.reconciler4j.generator.compatibility.DefinitionSource;
import io.github.reconciler4j.generator.compatibility.Finding;
import io.github.reconciler4j.generator.compatibility.Severity;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Compares definitions with those of an earlier release. */
final class CheckCrdsCommand implements Main.Command {

    @Override
    public String usage() {
        return """
                  Find breaking changes of CustomResourceDefinitions; fail if one is an error.
                  --new DIR|FILE                the definitions to check (required)
                  --old SOURCE                  those of the last release: a folder, a file, a jar, git:REF:PATH,
                                                cluster or cluster:CONTEXT (required)
                  --severity RULE=LEVEL         error, warning or ignore; may be repeated
                  --trust-conversion true|false versions between which a webhook converts may differ; true by default
                """;
    }

    @Override
    public void run(Arguments arguments) {
        String old = arguments.required("old");
        String current = arguments.required("new");
        CompatibilityOptions options = CompatibilityOptions.defaults()
                .withSeverities(arguments.pairs("severity"))
                .withTrustConversion(arguments.flag("trust-conversion", true));
        arguments.checkAllUsed();
        check(old, current, options);
    }

    private static void check(String old, String current, CompatibilityOptions options) {
        Path here = Path.of("").toAbsolutePath();
        List<Map<String, Object>> after = DefinitionSource.parse(current, here).read(List.of());
        if (after.isEmpty()) {
            throw new GeneratorException(
                    "There are no CustomResourceDefinitions in " + current + ": generate them first (R4J-753)");
        }
        List<String> names = after.stream().map(CheckCrdsCommand::name).toList();
        List<Map<String, Object>> before = DefinitionSource.parse(old, here).read(names);
        if (before.isEmpty()) {
            System.err.println("Warning: there are no CustomResourceDefinitions in " + old + " to compare with");
        }
        if (current.replace('\\', '/').contains("META-INF/crds")) {
            keepConversion(before, after);
        }
        List<Finding> findings = new CrdCompatibility(options).compare(before, after);
        findings.forEach(finding -> System.err.println(finding));
        long errors = findings.stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .count();
        if (errors > 0) {
            throw new GeneratorException(errors + " breaking " + (errors == 1 ? "change" : "changes") + " since " + old
                    + ": resolve them, add a version, or lower the severity of a rule (R4J-716)");
        }
    }

    /** Classes become definitions without conversion: the chart adds it, and an installation by the operator keeps it. */
    private static void keepConversion(List<Map<String, Object>> before, List<Map<String, Object>> after) {
        Map<String, Map<String, Object>> old = new HashMap<>();
        before.forEach(definition -> old.put(name(definition), spec(definition)));
        after.forEach(definition -> {
            Object conversion = old.getOrDefault(name(definition), Map.of()).get("conversion");
            if (conversion != null) {
                spec(definition).putIfAbsent("conversion", conversion);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> spec(Map<String, Object> definition) {
        return (Map<String, Object>) definition.getOrDefault("spec", new HashMap<>());
    }

    private static String name(Map<String, Object> definition) {
        return Objects.toString(((Map<?, ?>) definition.getOrDefault("metadata", Map.of())).get("name"));
    }
}
