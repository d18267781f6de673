package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.OptionalType;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.library.KubernetesFunctions;
import java.util.EnumSet;
import java.util.Map;

/** Compiles and runs expressions with what a Kubernetes server offers them. Safe for use by multiple threads. */
final class CelEnvironment {
    private static final CelOptions OPTIONS = CelOptions.current()
            .enableHeterogeneousNumericComparisons(true)
            .enableOptionalSyntax(true)
            .build();
    private static final KubernetesFunctions FUNCTIONS = new KubernetesFunctions();
    private static final CelStringExtensions STRINGS =
            CelExtensions.strings(EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE)));
    private static final CelListsExtensions LISTS =
            CelExtensions.lists(EnumSet.complementOf(EnumSet.of(CelListsExtensions.Function.SORT_BY)));
    private static final CelRuntime RUNTIME = CelRuntimeFactory.standardCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(
                    STRINGS,
                    LISTS,
                    CelExtensions.sets(OPTIONS),
                    CelExtensions.optional(),
                    CelExtensions.comprehensions())
            .addLibraries(FUNCTIONS)
            .build();

    private CelEnvironment() {}

    static CelAbstractSyntaxTree compile(String text, CelType self, boolean optionalOld, CelSchema schema)
            throws CelValidationException {
        return compiler(schema)
                .addVar("self", self)
                .addVar("oldSelf", optionalOld ? OptionalType.create(self) : self)
                .build()
                .compile(text)
                .getAst();
    }

    /** Return a compiler that knows the functions and the given types, without a variable. */
    static CelCompilerBuilder compiler(CelTypeProvider types) {
        return CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setTypeProvider(types)
                .addLibraries(
                        STRINGS,
                        LISTS,
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.optional(),
                        CelExtensions.comprehensions())
                .addLibraries(FUNCTIONS);
    }

    static CelRuntime.Program program(CelAbstractSyntaxTree tree) throws CelEvaluationException {
        return RUNTIME.createProgram(tree);
    }

    static Map<String, Object> variables(Object self, Object oldSelf) {
        return ImmutableMap.of("self", self, "oldSelf", oldSelf);
    }
}
