package io.github.reconciler4j.generator.policy;

import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelExpr;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserFactory;
import io.github.reconciler4j.generator.GeneratorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks the syntax of expressions, and that a version of Kubernetes has the functions that they call. */
final class CelLevel {

    /** Parses without macros, so that calls are as they are written. */
    private static final CelParser PARSER = CelParserFactory.standardCelParserBuilder()
            .setOptions(CelOptions.current().enableOptionalSyntax(true).build())
            .build();

    private static final Map<String, Integer> FUNCTIONS = Map.ofEntries(
            Map.entry("fieldSelector", 31),
            Map.entry("labelSelector", 31),
            Map.entry("transformList", 32),
            Map.entry("transformMap", 32),
            Map.entry("transformMapEntry", 32),
            Map.entry("semver", 33),
            Map.entry("isSemver", 33),
            Map.entry("slice", 34),
            Map.entry("flatten", 34),
            Map.entry("distinct", 34),
            Map.entry("range", 34),
            Map.entry("reverse", 34),
            Map.entry("sort", 34),
            Map.entry("sortBy", 34),
            Map.entry("first", 34),
            Map.entry("last", 34),
            Map.entry("includes", 37));

    private static final Set<String> COMPREHENSIONS = Set.of("all", "exists", "exists_one", "existsOne");

    private CelLevel() {}

    /**
     * Checks an expression.
     *
     * @param where where it is, for messages
     * @throws GeneratorException if its syntax is wrong, or if the version does not have a function
     */
    static void check(String expression, KubernetesVersion version, String where) {
        CelExpr tree;
        try {
            tree = PARSER.parse(expression).getAst().getExpr();
        } catch (CelValidationException e) {
            throw new GeneratorException("The expression of " + where + " is invalid: " + e.getMessage(), e);
        }
        for (CelExpr.CelCall call : calls(tree)) {
            KubernetesVersion needed = new KubernetesVersion(minor(call));
            if (version.isBefore(needed)) {
                throw new GeneratorException("The expression of " + where + " calls '" + call.function()
                        + "', which Kubernetes has since " + needed + ", but the lowest version is " + version
                        + ": write it without this function, or set 'minKubernetes' (R4J-718)");
            }
        }
    }

    private static int minor(CelExpr.CelCall call) {
        if (COMPREHENSIONS.contains(call.function()) && call.args().size() == 3) {
            return 32;
        }
        boolean named = call.target().isPresent()
                && call.target().get().identOrDefault().name().equals("format");
        return named ? 31 : FUNCTIONS.getOrDefault(call.function(), 0);
    }

    private static List<CelExpr.CelCall> calls(CelExpr tree) {
        List<CelExpr.CelCall> calls = new ArrayList<>();
        collect(tree, calls);
        return calls;
    }

    private static void collect(CelExpr node, List<CelExpr.CelCall> calls) {
        switch (node.getKind()) {
            case CALL -> {
                calls.add(node.call());
                node.call().target().ifPresent(target -> collect(target, calls));
                node.call().args().forEach(argument -> collect(argument, calls));
            }
            case SELECT -> collect(node.select().operand(), calls);
            case LIST -> node.list().elements().forEach(element -> collect(element, calls));
            case STRUCT -> node.struct().entries().forEach(entry -> collect(entry.value(), calls));
            case MAP ->
                node.map().entries().forEach(entry -> {
                    collect(entry.key(), calls);
                    collect(entry.value(), calls);
                });
            default -> {}
        }
    }
}
