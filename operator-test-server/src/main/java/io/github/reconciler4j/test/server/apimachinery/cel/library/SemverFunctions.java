package io.github.reconciler4j.test.server.apimachinery.cel.library;

import dev.cel.common.types.SimpleType;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Semantic versions. */
final class SemverFunctions {
    private SemverFunctions() {}

    static void addTo(FunctionTable functions) {
        functions.global("semver", "string_to_semver", Types.SEMVER, args -> version(args, false), SimpleType.STRING);
        functions.global(
                "semver",
                "string_bool_to_semver",
                Types.SEMVER,
                args -> version(args, (Boolean) args[1]),
                SimpleType.STRING,
                SimpleType.BOOL);
        functions.global(
                "isSemver",
                "is_semver_string",
                SimpleType.BOOL,
                args -> parsed(args, false) != null,
                SimpleType.STRING);
        functions.global(
                "isSemver",
                "is_semver_string_bool",
                SimpleType.BOOL,
                args -> parsed(args, (Boolean) args[1]) != null,
                SimpleType.STRING,
                SimpleType.BOOL);
        addComparisons(functions);
    }

    private static void addComparisons(FunctionTable functions) {
        addNumber(functions, "major", Semver::major);
        addNumber(functions, "minor", Semver::minor);
        addNumber(functions, "patch", Semver::patch);
        functions.member(
                "compareTo",
                "semver_compare_to",
                SimpleType.INT,
                args -> (long) order(args),
                Types.SEMVER,
                Types.SEMVER);
        functions.member(
                "isLessThan",
                "semver_is_less_than",
                SimpleType.BOOL,
                args -> order(args) < 0,
                Types.SEMVER,
                Types.SEMVER);
        functions.member(
                "isGreaterThan",
                "semver_is_greater_than",
                SimpleType.BOOL,
                args -> order(args) > 0,
                Types.SEMVER,
                Types.SEMVER);
    }

    @SuppressWarnings("Immutable") // numbers are methods of versions
    private static void addNumber(FunctionTable functions, String name, ToLongFunction<Semver> number) {
        functions.member(
                name, "semver_" + name, SimpleType.INT, args -> number.applyAsLong((Semver) args[0]), Types.SEMVER);
    }

    private static int order(Object[] args) {
        return Integer.signum(((Semver) args[0]).compareTo((Semver) args[1]));
    }

    private static @Nullable Semver parsed(Object[] args, boolean tolerant) {
        String text = (String) args[0];
        return tolerant ? Semver.parseTolerant(text) : Semver.parse(text);
    }

    private static Semver version(Object[] args, boolean tolerant) {
        Semver version = parsed(args, tolerant);
        if (version == null) {
            throw new IllegalArgumentException(problem((String) args[0]));
        }
        return version;
    }

    private static String problem(String text) {
        if (text.isEmpty()) {
            return "Version string empty";
        }
        return text.split("\\.", 3).length < 3 ? "No Major.Minor.Patch elements found" : "Invalid version";
    }
}
