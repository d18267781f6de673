package io.github.reconciler4j.generator;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.utils.KubernetesVersionPriority;
import io.github.reconciler4j.generator.crd.CrdGenerator;
import io.github.reconciler4j.generator.crd.CrdResult;
import io.github.reconciler4j.generator.crd.KindClasses;
import io.github.reconciler4j.generator.operator.LibraryDefinitions;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReader;
import io.github.reconciler4j.generator.operator.Switch;
import io.github.reconciler4j.generator.output.ExampleObjects;
import io.github.reconciler4j.generator.output.OutputOptions;
import io.github.reconciler4j.generator.output.Outputs;
import io.github.reconciler4j.generator.policy.KubernetesVersion;
import io.github.reconciler4j.generator.policy.PolicyGenerator;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.policy.MutationPolicy;
import io.github.reconciler4j.policy.ValidationPolicy;
import java.lang.annotation.Annotation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes what an operator is installed with. */
final class GenerateCommand implements Main.Command {

    private static final List<Class<? extends Annotation>> POLICIES =
            List.of(ValidationPolicy.class, ValidationPolicy.All.class, MutationPolicy.class, MutationPolicy.All.class);

    @Override
    public String usage() {
        return """
                  Create the application's beans without a cluster and write what they need.
                  --main CLASS                  the class with the main method (required)
                  --crds DIR                    write the CustomResourceDefinitions, as the command crds does
                  --roles FILE                  write the operator's roles, for tests that run under them
                  --chart DIR                   write a Helm chart
                  --manifests DIR               write a kustomize base, with everything in install.yaml, too
                  --bundle DIR                  write a bundle for the Operator Lifecycle Manager
                  --catalog DIR                 add the bundle to a file-based catalog
                  --api-docs FILE               write a page in Markdown with the fields of the kinds; none by default
                  --examples DIR                examples of the kinds for the bundle; by default from the definitions
                  --image REPOSITORY            the image of the operator, without a tag
                  --app-version VERSION         the version of the operator, which is the tag of its image
                  --chart-version VERSION       the version of the chart; unchanged by default
                  --min-kubernetes VERSION      the lowest version of Kubernetes that admission policies are for; 1.30 by default
                  --own-only true|false         write the policy that lets the operator write its own objects only; false by default
                  --property KEY=VALUE          a property of the application; may be repeated
                  --switch VALUE=PROPERTY[=TEXT] a value of the chart that sets a boolean property; may be repeated
                  --check true|false            write nothing, fail if something would change; false by default
                  --force true|false            overwrite generated files that were edited; false by default
                  --classes, --kind, --sources, --max-description-length, --verify: as for crds
                """ + BundleDetails.USAGE;
    }

    @Override
    public void run(Arguments arguments) {
        String main = arguments.required("main");
        List<Switch> switches =
                arguments.all("switch").stream().map(Switch::parse).toList();
        Optional<Path> definitions = arguments.one("crds").map(Path::of);
        Optional<Path> roles = arguments.one("roles").map(Path::of);
        Optional<Path> chart = arguments.one("chart").map(Path::of);
        Optional<Path> manifests = arguments.one("manifests").map(Path::of);
        Optional<Path> bundle = arguments.one("bundle").map(Path::of);
        Optional<Path> catalog = arguments.one("catalog").map(Path::of);
        Optional<Path> apiDocs = arguments.one("api-docs").map(Path::of);
        boolean check = arguments.flag("check", false);
        OutputOptions options = options(arguments);
        Map<String, String> properties = arguments.pairs("property");
        CrdResult crds = new CrdGenerator(CrdsCommand.options(arguments)).generate(CrdsCommand.kinds(arguments));
        KubernetesVersion version =
                KubernetesVersion.parse(arguments.one("min-kubernetes").orElse("1.30"));
        List<Class<?>> annotated = KindClasses.annotated(arguments.paths("classes"), POLICIES);
        arguments.checkAllUsed();
        crds.warnings().forEach(GenerateCommand::warn);
        definitions.ifPresent(folder -> CrdsCommand.write(crds, folder));
        OperatorDescription operator = OperatorReader.ofSpring(main, properties, GenerateCommand::warn)
                .read(switches, crds.definitions(), LibraryDefinitions.onClassPath())
                .withPolicies(new PolicyGenerator(version).generate(annotated))
                .withMinKubernetes(version.toString());
        storageWarnings(operator).forEach(GenerateCommand::warn);
        options.examples().ifPresent(folder -> warnOfExamples(folder, operator.definitions()));
        Outputs outputs = new Outputs(operator, options);
        roles.ifPresent(file -> OutputFiles.write(file, outputs.roles()));
        roles.ifPresent(file -> writeOwnOnly(outputs, file.resolveSibling("own-only.yaml")));
        chart.ifPresent(folder -> writeChart(outputs, folder, check));
        apiDocs.ifPresent(file -> ApiDocs.write(file, operator.definitions(), check, options.force()));
        if (!check) {
            manifests.ifPresent(outputs::writeManifests);
            bundle.ifPresent(outputs::writeBundle);
            catalog.ifPresent(outputs::writeCatalog);
        }
    }

    /** Tests find the policy beside the roles. */
    private static void writeOwnOnly(Outputs outputs, Path file) {
        if (outputs.ownOnly().isEmpty()) {
            OutputFiles.delete(file);
        } else {
            OutputFiles.write(file, outputs.ownOnly());
        }
    }

    private static void writeChart(Outputs outputs, Path folder, boolean check) {
        if (check) {
            check(folder, outputs.chartDifferences(folder));
        } else {
            outputs.writeChart(folder);
        }
    }

    private static OutputOptions options(Arguments arguments) {
        OutputOptions options = OutputOptions.defaults()
                .withImage(arguments.one("image").orElse("operator"))
                .withVersion(arguments.one("app-version").orElse(""))
                .withChartVersion(arguments.one("chart-version").orElse(""))
                .withForce(arguments.flag("force", false))
                .withOwnOnly(arguments.flag("own-only", false))
                .withBundleBases(BundleDetails.read(arguments));
        List<String> channels = arguments.all("channel");
        if (!channels.isEmpty()) {
            options = options.withChannels(channels);
        }
        Optional<Path> examples = arguments.one("examples").map(Path::of);
        return examples.isPresent() ? options.withExamples(examples.get()) : options;
    }

    /** The garbage collector and the namespace controller read objects in the preferred version, and wait for a missing webhook. */
    static List<String> storageWarnings(OperatorDescription operator) {
        List<String> warnings = new ArrayList<>();
        for (Map<String, Object> tree : operator.definitions()) {
            CustomResourceDefinition definition = Yaml.convert(tree, CustomResourceDefinition.class);
            String name = definition.getMetadata().getName();
            List<CustomResourceDefinitionVersion> versions =
                    definition.getSpec().getVersions();
            String preferred = KubernetesVersionPriority.highestPriority(versions.stream()
                    .filter(version -> Boolean.TRUE.equals(version.getServed()))
                    .map(CustomResourceDefinitionVersion::getName)
                    .toList());
            boolean stored = versions.stream()
                    .anyMatch(version -> Boolean.TRUE.equals(version.getStorage())
                            && version.getName().equals(preferred));
            if (!stored && operator.snapshot().webhooks().converted().containsKey(name)) {
                warnings.add("Objects of " + name + " are not stored in " + preferred
                        + ", in which Kubernetes itself reads"
                        + " them. While no pod serves the conversion, the garbage collector and the deletion of namespaces"
                        + " wait. Store objects in " + preferred + " as soon as no older release of the operator runs");
            }
        }
        return warnings;
    }

    /** Examples are written once, and the kinds change. A webhook can make one valid, so this is no failure. */
    private static void warnOfExamples(Path folder, Collection<Map<String, Object>> definitions) {
        try {
            new ExampleObjects(folder)
                    .refused(definitions)
                    .forEach(sentence -> warn(sentence + ". Correct it in the folder " + folder));
        } catch (GeneratorException e) {
            warn("The folder " + folder + " was not checked: " + e.getMessage());
        }
    }

    private static void warn(String warning) {
        System.err.println("Warning: " + warning);
    }

    private static void check(Path folder, List<String> differences) {
        if (!differences.isEmpty()) {
            throw outdated(folder + " with " + String.join(", ", differences));
        }
    }

    /** The files differ from what would be written. */
    static GeneratorException outdated(String files) {
        return new GeneratorException(files + " is not up to date. Generate it again (R4J-726)");
    }
}
