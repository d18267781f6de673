package io.github.reconciler4j.test.server.apimachinery.cel.library;

import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Optional;

/** Forms of texts by name. */
final class FormatFunctions {
    private FormatFunctions() {}

    @SuppressWarnings("Immutable") // formats only look at their texts
    static void addTo(FunctionTable functions) {
        NamedFormat.all().forEach((name, format) -> {
            String id = "format." + name;
            functions.global(id, id, Types.FORMAT, args -> format);
        });
        functions.global(
                "format.named",
                "format-named",
                OptionalType.create(Types.FORMAT),
                args -> Optional.ofNullable(NamedFormat.named((String) args[0])),
                SimpleType.STRING);
        functions.member(
                "validate",
                "format-validate",
                OptionalType.create(ListType.create(SimpleType.STRING)),
                args -> {
                    List<String> problems = ((NamedFormat) args[0]).check().apply((String) args[1]);
                    return problems.isEmpty() ? Optional.empty() : Optional.of(problems);
                },
                Types.FORMAT,
                SimpleType.STRING);
    }
}
