package io.github.reconciler4j.generator;

import io.fabric8.kubernetes.api.Pluralize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;

/** Writes the classes of a new kind: resource, spec, status, reconciler and test; on request webhooks and a former version. */
final class NewKindCommand implements Main.Command {

    private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");
    private static final Pattern PLURAL = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern VERSION = Pattern.compile("v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?");
    private static final Pattern GROUP =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+");
    private static final Pattern PACKAGE = Pattern.compile("[a-z_][a-zA-Z0-9_]*(\\.[a-z_][a-zA-Z0-9_]*)*");
    private static final Pattern SWITCH = Pattern.compile("true|false");
    private static final Pattern SCOPE = Pattern.compile("(?i)namespaced|cluster");

    @Override
    public String usage() {
        return """
                  Write the classes of a new kind: resource, spec, status, reconciler and test; and an example.
                  --kind NAME                   the kind, for instance Database (required)
                  --group GROUP                 the API group, for instance example.com (required)
                  --package PACKAGE             the Java package (required)
                  --plural NAME                 the name of the resource; by default from the kind
                  --scope SCOPE                 Namespaced (default) or Cluster
                  --version VERSION             the version that is stored, v1alpha1 by default
                  --former-version VERSION      a second version, with a converter between both
                  --webhooks true               a validator and a defaulter
                  --sources DIR                 src/main/java by default
                  --tests DIR                   src/test/java by default
                  --examples DIR                examples by default
                """;
    }

    @Override
    public void run(Arguments arguments) {
        Map<String, Object> values = values(arguments);
        boolean hasFormer = values.containsKey("former");
        boolean webhooks = Boolean.TRUE.equals(values.get("webhooks"));
        String kind = String.valueOf(values.get("kind"));
        String folders = String.valueOf(values.get("package")).replace('.', '/');
        Path sources = Path.of(arguments.one("sources").orElse("src/main/java"), folders);
        Path tests = Path.of(arguments.one("tests").orElse("src/test/java"), folders);
        Path examples = Path.of(arguments.one("examples").orElse("examples"));
        boolean named = arguments.one("plural").isPresent();
        arguments.checkAllUsed();
        List<String> templates = templates(webhooks, hasFormer);
        KindNames.problem(kind, templates).ifPresent(problem -> {
            throw new Arguments.UsageException(
                    "The kind cannot be " + kind + ": " + problem + "; choose another name (R4J-734)");
        });
        Scaffold scaffold = new Scaffold(values);
        Map<Path, String> files = new LinkedHashMap<>();
        for (String template : templates) {
            Path folder = template.startsWith("test/") ? tests : sources;
            if (template.startsWith("former/")) {
                folder = sources.resolve(String.valueOf(values.get("former")));
            }
            files.put(
                    folder.resolve(template.replaceFirst(".*/", "").replace("__kind__", kind)),
                    scaffold.filled(template));
        }
        files.put(examples.resolve(values.get("plural") + ".yaml"), scaffold.filled("examples/__plural__.yaml"));
        write(files);
        if (!named) {
            System.out.println("The plural of " + kind + " is " + values.get("plural")
                    + ". To choose another one, delete the files and set 'plural'");
        }
        if (webhooks || hasFormer) {
            System.out.println("Add the dependency io.github.reconciler4j:reconciler4j-webhook to your pom.xml,"
                    + " if it does not have it yet");
        }
    }

    /** Return the values of the references in the templates. */
    private static Map<String, Object> values(Arguments arguments) {
        Map<String, Object> values = new HashMap<>();
        String kind = checked("kind", arguments.required("kind"), KIND, "a word like Database");
        values.put("kind", kind);
        values.put("group", checked("group", arguments.required("group"), GROUP, "a domain like example.com"));
        String inPackage = checked("package", arguments.required("package"), PACKAGE, "a Java package");
        if (!SourceVersion.isName(inPackage)) {
            throw new Arguments.UsageException(
                    "The package must not contain a keyword of Java, was '" + inPackage + "'");
        }
        values.put("package", inPackage);
        String plural = arguments.one("plural").orElseGet(() -> Pluralize.toPlural(kind.toLowerCase(Locale.ROOT)));
        values.put("plural", checked("plural", plural, PLURAL, "in lower case, like databases"));
        String version = arguments.one("version").orElse("v1alpha1");
        values.put("storedVersion", checked("version", version, VERSION, "a version like v1beta1"));
        arguments.one("former-version").ifPresent(former -> {
            values.put("former", checked("former version", former, VERSION, "a version like v1alpha1"));
            if (former.equals(version)) {
                throw new Arguments.UsageException(
                        "The version and the former version must differ, both are " + version);
            }
        });
        String scope = arguments.one("scope").orElse("Namespaced");
        values.put(
                "cluster",
                checked("scope", scope, SCOPE, "Namespaced or Cluster").equalsIgnoreCase("cluster"));
        String webhooks = arguments.one("webhooks").orElse("false");
        values.put(
                "webhooks",
                checked("switch 'webhooks'", webhooks, SWITCH, "true or false").equals("true"));
        return values;
    }

    private static List<String> templates(boolean webhooks, boolean former) {
        List<String> templates = new ArrayList<>(List.of(
                "main/__kind__.java",
                "main/__kind__Spec.java",
                "main/__kind__Status.java",
                "main/__kind__Reconciler.java"));
        if (webhooks) {
            templates.addAll(List.of("webhooks/__kind__Validator.java", "webhooks/__kind__Defaulter.java"));
        }
        if (former) {
            templates.addAll(
                    List.of("converter/__kind__Converter.java", "former/__kind__.java", "former/__kind__Spec.java"));
        }
        templates.add("test/__kind__Tests.java");
        return templates;
    }

    private static void write(Map<Path, String> files) {
        for (Path file : files.keySet()) {
            if (Files.exists(file)) {
                throw new GeneratorException(
                        file + " exists already: choose another kind, or delete the file (R4J-733)");
            }
        }
        files.forEach((file, text) -> {
            OutputFiles.write(file, text);
            System.out.println(file);
        });
    }

    private static String checked(String option, String value, Pattern pattern, String expected) {
        if (!pattern.matcher(value).matches()) {
            throw new Arguments.UsageException("The " + option + " must be " + expected + ", was '" + value + "'");
        }
        return value;
    }
}
