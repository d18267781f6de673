package io.github.reconciler4j.test.server.apimachinery.cel.library;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelParserBuilder;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;

/**
 * All functions that Kubernetes adds to CEL for rules of custom resources. Immutable; safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class KubernetesFunctions implements CelCompilerLibrary, CelRuntimeLibrary {
    private final FunctionTable functions = new FunctionTable();

    /** The functions. */
    public KubernetesFunctions() {
        TextFunctions.addTo(functions);
        ListFunctions.addTo(functions);
        SortBy.addTo(functions);
        UrlFunctions.addTo(functions);
        QuantityFunctions.addTo(functions);
        IpFunctions.addTo(functions);
        SemverFunctions.addTo(functions);
        FormatFunctions.addTo(functions);
    }

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        functions.declareIn(checker);
    }

    @Override
    public void setParserOptions(CelParserBuilder parser) {
        parser.addMacros(SortBy.MACRO);
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder runtime) {
        functions.bindIn(runtime);
    }
}
