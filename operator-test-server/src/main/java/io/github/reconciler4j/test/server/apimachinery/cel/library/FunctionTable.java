package io.github.reconciler4j.test.server.apimachinery.cel.library;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntimeBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions with what they do. Filled by one thread, then only read. */
final class FunctionTable {
    private final Map<String, List<CelOverloadDecl>> declarations = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bindings = new ArrayList<>();

    /** Adds a function that is called on its first parameter. */
    void member(String name, String id, CelType result, CelFunctionOverload body, CelType... parameters) {
        add(name, CelOverloadDecl.newMemberOverload(id, result, List.of(parameters)), body);
    }

    /** Adds a function that stands alone. */
    void global(String name, String id, CelType result, CelFunctionOverload body, CelType... parameters) {
        add(name, CelOverloadDecl.newGlobalOverload(id, result, List.of(parameters)), body);
    }

    private void add(String name, CelOverloadDecl overload, CelFunctionOverload body) {
        declarations.computeIfAbsent(name, n -> new ArrayList<>()).add(overload);
        List<Class<?>> types = new ArrayList<>();
        overload.parameterTypes().forEach(type -> types.add(Types.javaClass(type)));
        bindings.add(CelFunctionBinding.from(overload.overloadId(), types, body));
    }

    void declareIn(CelCheckerBuilder checker) {
        declarations.forEach((name, overloads) ->
                checker.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(name, overloads)));
    }

    void bindIn(CelRuntimeBuilder runtime) {
        runtime.addFunctionBindings(bindings);
    }
}
