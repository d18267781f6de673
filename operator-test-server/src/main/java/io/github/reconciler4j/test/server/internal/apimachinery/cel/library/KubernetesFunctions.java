package io.github.reconciler4j.test.server.internal.apimachinery.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.values.CelByteString;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelParserBuilder;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The functions that Kubernetes adds to CEL for validation rules. Immutable; safe for use by multiple threads. */
public final class KubernetesFunctions implements CelCompilerLibrary, CelRuntimeLibrary {

    /** A type of a signature. Types that are not here are written as {@code list(...)}, {@code optional(...)}, ... */
    private record Type(CelType type, Class<?> valueClass) {}

    private static final Map<String, Type> TYPES = Map.ofEntries(
            Map.entry("bool", new Type(SimpleType.BOOL, Boolean.class)),
            Map.entry("int", new Type(SimpleType.INT, Long.class)),
            Map.entry("uint", new Type(SimpleType.UINT, UnsignedLong.class)),
            Map.entry("double", new Type(SimpleType.DOUBLE, Double.class)),
            Map.entry("string", new Type(SimpleType.STRING, String.class)),
            Map.entry("bytes", new Type(SimpleType.BYTES, CelByteString.class)),
            Map.entry("duration", new Type(SimpleType.DURATION, Duration.class)),
            Map.entry("timestamp", new Type(SimpleType.TIMESTAMP, Instant.class)),
            Map.entry("dyn", new Type(SimpleType.DYN, Object.class)),
            Map.entry("A", new Type(TypeParamType.create("A"), Object.class)),
            Map.entry("B", new Type(TypeParamType.create("B"), Object.class)),
            Map.entry("url", new Type(OpaqueType.create("kubernetes.URL"), UrlFunctions.Url.class)),
            Map.entry("quantity", new Type(OpaqueType.create("kubernetes.Quantity"), AmountFunctions.Quantity.class)),
            Map.entry("semver", new Type(OpaqueType.create("kubernetes.Semver"), AmountFunctions.Version.class)),
            Map.entry("format", new Type(OpaqueType.create("kubernetes.NamedFormat"), TextFunctions.Format.class)),
            Map.entry("ip", new Type(OpaqueType.create("net.IP"), IpFunctions.Ip.class)),
            Map.entry("cidr", new Type(OpaqueType.create("net.CIDR"), IpFunctions.Cidr.class)));

    private final Map<String, List<CelOverloadDecl>> declarations = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bindings = new ArrayList<>();

    public KubernetesFunctions() {
        TextFunctions.addTo(this);
        ListFunctions.addTo(this);
        UrlFunctions.addTo(this);
        AmountFunctions.addTo(this);
        IpFunctions.addTo(this);
    }

    /** Add a function that stands alone, with a signature such as {@code "string, int -> list(string)"}. */
    void global(String name, String signature, CelFunctionOverload body) {
        add(name, signature, false, body);
    }

    /** Add a function that is called on its first parameter. */
    void member(String name, String signature, CelFunctionOverload body) {
        add(name, signature, true, body);
    }

    private void add(String name, String signature, boolean member, CelFunctionOverload body) {
        String[] parts = signature.split("->");
        List<Type> parameters = Stream.of(parts[0].split(","))
                .map(String::trim)
                .filter(text -> !text.isEmpty())
                .map(KubernetesFunctions::type)
                .toList();
        List<CelType> types = parameters.stream().map(Type::type).toList();
        CelType result = type(parts[1].trim()).type();
        String id = (member ? "kubernetes_member_" : "kubernetes_") + name + "_" + signature.replaceAll("\\W+", "_");
        declarations
                .computeIfAbsent(name, key -> new ArrayList<>())
                .add(
                        member
                                ? CelOverloadDecl.newMemberOverload(id, result, types)
                                : CelOverloadDecl.newGlobalOverload(id, result, types));
        List<Class<?>> classes = new ArrayList<>();
        parameters.forEach(parameter -> classes.add(parameter.valueClass()));
        bindings.add(CelFunctionBinding.from(id, classes, body));
    }

    private static Type type(String text) {
        if (text.startsWith("list(")) {
            return new Type(ListType.create(inner(text)), List.class);
        }
        if (text.startsWith("optional(")) {
            return new Type(OptionalType.create(inner(text)), Object.class);
        }
        if (text.startsWith("map(string ")) {
            return new Type(MapType.create(SimpleType.STRING, inner(text.replace("string ", ""))), Map.class);
        }
        return Objects.requireNonNull(TYPES.get(text), text);
    }

    private static CelType inner(String text) {
        return type(text.substring(text.indexOf('(') + 1, text.length() - 1)).type();
    }

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        declarations.forEach((name, overloads) ->
                checker.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(name, overloads)));
    }

    @Override
    public void setParserOptions(CelParserBuilder parser) {
        parser.addMacros(ListFunctions.SORT_BY);
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder runtime) {
        runtime.addFunctionBindings(bindings);
    }
}
