package io.github.reconciler4j.test.tree.cel;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Map;

/** Compiles and runs expressions with what a Kubernetes server offers them. Safe for use by many threads. */
final class CelEnvironment {
    private static final CelOptions OPTIONS = CelOptions.current()
            .enableHeterogeneousNumericComparisons(true)
            .enableOptionalSyntax(true)
            .build();
    private static final KubernetesFunctions FUNCTIONS = new KubernetesFunctions();
    private static final CelRuntime RUNTIME = CelRuntimeFactory.standardCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(
                    CelExtensions.strings(),
                    CelExtensions.sets(OPTIONS),
                    CelExtensions.optional(),
                    CelExtensions.comprehensions())
            .addLibraries(FUNCTIONS)
            .build();

    private CelEnvironment() {}

    /**
     * A compiled expression.
     *
     * @param program what runs it
     * @param type the type of its result
     */
    record Expression(CelRuntime.Program program, CelType type) {
        /** Runs the expression. */
        Object evaluate(Map<String, Object> variables) throws CelEvaluationException {
            return program.eval(variables);
        }
    }

    /** Compiles an expression over {@code self} and {@code oldSelf}. */
    static Expression compile(String text, CelType self, boolean optionalOld, CelSchema schema)
            throws CelValidationException, CelEvaluationException {
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setTypeProvider(schema)
                .addLibraries(
                        CelExtensions.strings(),
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.optional(),
                        CelExtensions.bindings(),
                        CelExtensions.comprehensions())
                .addLibraries(FUNCTIONS)
                .addVar("self", self)
                .addVar("oldSelf", optionalOld ? OptionalType.create(self) : self);
        CelCompiler compiler = builder.build();
        CelAbstractSyntaxTree tree = compiler.compile(text).getAst();
        return new Expression(RUNTIME.createProgram(tree), tree.getResultType());
    }

    /** The variables of one evaluation. */
    static Map<String, Object> variables(Object self, Object oldSelf) {
        return ImmutableMap.of("self", self, "oldSelf", oldSelf);
    }
}
