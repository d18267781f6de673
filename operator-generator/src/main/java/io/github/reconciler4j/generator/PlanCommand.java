package io.github.reconciler4j.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Prints what the packaged operator would change in a cluster. */
final class PlanCommand implements Main.Command {

    private static final int COMPLETE = 0;
    private static final int CHANGES = 2;

    @Override
    public String usage() {
        return """
                  Print what the operator would change in a cluster, and change nothing.
                  --application JAR             the jar that Spring Boot has written (required)
                  --kubeconfig FILE             the kubeconfig; by default the usual one
                  --context NAME                the context of the kubeconfig; by default the current one
                  --format text|json            the format of the report; text by default
                  --out FILE                    write the report to this file instead
                  --fail-on-changes true|false  whether changes are a failure; false by default
                  --property KEY=VALUE          a property of the application; may be repeated
                """;
    }

    @Override
    public void run(Arguments arguments) {
        Path application = Path.of(arguments.required("application"));
        if (!Files.isRegularFile(application)) {
            throw new GeneratorException("There is no " + application + ": package the application first");
        }
        boolean failOnChanges =
                Boolean.parseBoolean(arguments.one("fail-on-changes").orElse("false"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                application.toString(),
                "--reconciler4j.mode=plan"));
        arguments.one("kubeconfig").ifPresent(file -> command.add("--reconciler4j.client.kubeconfig=" + file));
        arguments.one("context").ifPresent(name -> command.add("--reconciler4j.client.context=" + name));
        arguments.one("format").ifPresent(format -> command.add("--reconciler4j.plan.format=" + format));
        arguments.one("out").ifPresent(file -> command.add("--reconciler4j.plan.file=" + file));
        arguments.pairs("property").forEach((key, value) -> command.add("--" + key + "=" + value));
        arguments.checkAllUsed();
        int code = run(command);
        if (code == CHANGES && failOnChanges) {
            throw new GeneratorException("The operator would change objects; see the report");
        }
        if (code != CHANGES && code != COMPLETE) {
            throw new GeneratorException("The plan is not complete, see the report: exit code " + code);
        }
    }

    private static int run(List<String> command) {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new GeneratorException("The application cannot be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GeneratorException("Interrupted while the application made its plan", e);
        }
    }
}
