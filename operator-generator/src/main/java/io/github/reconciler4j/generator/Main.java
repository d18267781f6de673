package io.github.reconciler4j.generator;

import io.github.reconciler4j.support.SupportedVersions;
import io.github.reconciler4j.support.UnsupportedVersionException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The generator as a program, for build tools without a Reconciler4j plugin. It needs the operator's classes and libraries on
 * its class path besides this library. {@code help} prints the commands and their options.
 *
 * @since 0.1.0
 */
public final class Main {

    /** The system property with the file that a failure is written to, instead of standard error. */
    private static final String FAILURE = "generator.reconciler4j.failure";

    private static final Map<String, Command> COMMANDS = new TreeMap<>(Map.of(
            "aot-cache", new AotCacheCommand(),
            "aot-trainer", new AotTrainerCommand(),
            "crds", new CrdsCommand(),
            "check-crds", new CheckCrdsCommand(),
            "check-rbac", new CheckRbacCommand(),
            "generate", new GenerateCommand(),
            "new-kind", new NewKindCommand(),
            "plan", new PlanCommand()));

    /** One thing that the program can do. */
    interface Command {

        /** Return the options and what they mean, one per line. */
        String usage();

        /** Run; a {@link GeneratorException} is for people. */
        void run(Arguments arguments);
    }

    private Main() {}

    /** Run a command and end the process: 0 if all is well, 1 if something is wrong, 2 if the arguments are. */
    public static void main(String... arguments) {
        int code = run(arguments);
        if (code != 0) {
            System.exit(code);
        }
    }

    /** Run a command and return the exit code, for callers in the same process. Messages go to standard error. */
    public static int run(String... arguments) {
        if (arguments.length == 0 || List.of("help", "--help", "-h").contains(arguments[0])) {
            System.out.print(usage());
            return 0;
        }
        Command command = COMMANDS.get(arguments[0]);
        if (command == null) {
            System.err.println("There is no command '" + arguments[0] + "'\n\n" + usage());
            return 2;
        }
        try {
            Arguments parsed = Arguments.parse(Arrays.asList(arguments).subList(1, arguments.length));
            SupportedVersions.check();
            command.run(parsed);
            parsed.checkAllUsed();
            return 0;
        } catch (Arguments.UsageException e) {
            report(e, arguments[0] + ": " + e.getMessage() + "\n\n" + command.usage());
            return 2;
        } catch (GeneratorException | UnsupportedVersionException e) {
            report(e, e.getMessage());
            return 1;
        }
    }

    /** Print a failure, or leave it to the build tool that has started the process and prints it once. */
    private static void report(RuntimeException failure, @Nullable String text) {
        String file = System.getProperty(FAILURE);
        if (file == null) {
            System.err.println(text);
        } else {
            OutputFiles.write(Path.of(file), String.valueOf(failure.getMessage()));
        }
    }

    private static String usage() {
        StringBuilder usage = new StringBuilder("Usage: COMMAND [--option VALUE]...\n");
        COMMANDS.forEach(
                (name, command) -> usage.append('\n').append(name).append('\n').append(command.usage()));
        return usage.toString();
    }
}
