package io.github.reconciler4j.generator;

import io.github.reconciler4j.generator.rbac.RbacCheck;
import java.nio.file.Path;
import java.util.List;

/** Compares the generated roles with what the tests' operator asked for. */
final class CheckRbacCommand implements Main.Command {

    @Override
    public String usage() {
        return """
                  Find permissions that the tests of the operator needed and its roles do not grant, and the reverse.
                  --roles FILE                  the generated roles (required)
                  --requests DIR                what @OperatorTest has recorded (required)
                  --unused error|warning|ignore what permissions are that no test has needed; warning by default
                """;
    }

    @Override
    public void run(Arguments arguments) {
        Path roles = Path.of(arguments.required("roles"));
        Path requests = Path.of(arguments.required("requests"));
        String level = arguments.one("unused").orElse("warning");
        if (!List.of("error", "warning", "ignore").contains(level)) {
            throw new Arguments.UsageException("--unused must be error, warning or ignore, was '" + level + "'");
        }
        arguments.checkAllUsed();
        RbacCheck check = RbacCheck.read(roles, requests);
        List<String> missing = check.missing();
        List<String> unused = level.equals("ignore") ? List.of() : check.unused();
        missing.forEach(sentence -> System.err.println("ERROR " + sentence));
        unused.forEach(sentence -> System.err.println((level.equals("error") ? "ERROR " : "WARNING ") + sentence));
        if (!missing.isEmpty()) {
            throw new GeneratorException(missing.size() + (missing.size() == 1 ? " permission is" : " permissions are")
                    + " missing in " + roles);
        }
        if (level.equals("error") && !unused.isEmpty()) {
            throw new GeneratorException("Permissions in " + roles + " that no test has needed");
        }
    }
}
