package io.github.reconciler4j.test.server.apimachinery.cel.library;

import dev.cel.common.types.CelKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The clauses of a formatted text and the types they take. Stateless.
 *
 * @since 0.1.0
 */
public final class FormatClauses {
    private record Kind(String name, Set<CelKind> types, String wanted) {}

    private static final Set<CelKind> WHOLE = Set.of(CelKind.INT, CelKind.UINT);
    private static final Set<CelKind> FLOATING = Set.of(CelKind.DOUBLE);
    private static final Map<String, Kind> KINDS = Map.of(
            "s", new Kind("string", Set.of(), ""),
            "d", new Kind("decimal", WHOLE, "integers"),
            "f", new Kind("fixed-point", FLOATING, "doubles"),
            "e", new Kind("scientific", FLOATING, "doubles"),
            "b", new Kind("binary", Set.of(CelKind.INT, CelKind.UINT, CelKind.BOOL), "integers and bools"),
            "o", new Kind("octal", WHOLE, "integers"),
            "x",
                    new Kind(
                            "hex",
                            Set.of(CelKind.INT, CelKind.UINT, CelKind.STRING, CelKind.BYTES),
                            "integers, byte buffers, and strings"),
            "X",
                    new Kind(
                            "hex",
                            Set.of(CelKind.INT, CelKind.UINT, CelKind.STRING, CelKind.BYTES),
                            "integers, byte buffers, and strings"));
    private static final Pattern CLAUSE = Pattern.compile("%(?:%|(?:\\.[0-9]*)?(.))");

    private FormatClauses() {}

    /** The letters of the clauses of a text, in order. */
    public static List<String> of(String pattern) {
        List<String> clauses = new ArrayList<>();
        Matcher matcher = CLAUSE.matcher(pattern);
        while (matcher.find()) {
            if (matcher.group(1) != null) {
                clauses.add(matcher.group(1));
            }
        }
        return clauses;
    }

    /** Whether there is such a clause. */
    public static boolean isKnown(String clause) {
        return KINDS.containsKey(clause);
    }

    /** What is wrong with values of a type in this clause; empty if nothing is, or nothing is known. */
    public static Optional<String> problem(String clause, CelKind type) {
        Kind kind = KINDS.get(clause);
        if (kind == null
                || kind.types().isEmpty()
                || type == CelKind.DYN
                || kind.types().contains(type)) {
            return Optional.empty();
        }
        return Optional.of(kind.name() + " clause can only be used on " + kind.wanted() + ", was given "
                + type.name().toLowerCase(Locale.ROOT));
    }
}
