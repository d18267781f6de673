package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Names of fields in rules, which must be identifiers. Stateless. */
public final class CelNames {
    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");
    private static final Pattern USABLE = Pattern.compile("[A-Za-z_.\\-/][A-Za-z0-9_.\\-/]*");

    private CelNames() {}

    /** Return the name of a field in rules; empty for fields that rules cannot reach. */
    public static Optional<String> escaped(String field) {
        if (RESERVED.contains(field)) {
            return Optional.of("__" + field + "__");
        }
        if (!USABLE.matcher(field).matches()) {
            return Optional.empty();
        }
        return Optional.of(field.replace("__", "__underscores__")
                .replace(".", "__dot__")
                .replace("-", "__dash__")
                .replace("/", "__slash__"));
    }
}
