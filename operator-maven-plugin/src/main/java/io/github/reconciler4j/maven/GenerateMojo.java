package io.github.reconciler4j.maven;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.jspecify.annotations.Nullable;

/**
 * Creates the application's beans without a cluster and writes what the operator is installed with: a Helm chart, and plain
 * manifests that are a kustomize base. What people have changed of the chart stays.
 *
 * @since 0.1.0
 */
@Mojo(
        name = "generate",
        defaultPhase = LifecyclePhase.PROCESS_CLASSES,
        requiresDependencyResolution = ResolutionScope.RUNTIME,
        threadSafe = true)
public final class GenerateMojo extends GeneratorMojo {

    private static final String BOOT = "Lorg/springframework/boot/autoconfigure/SpringBootApplication;";

    /** The class with the main method; the class with {@code @SpringBootApplication} by default. */
    @Parameter(property = "reconciler4j.mainClass")
    private @Nullable String mainClass;

    /** Where the CustomResourceDefinitions are written. */
    @Parameter(property = "reconciler4j.crds", defaultValue = "${project.build.outputDirectory}/META-INF/crds")
    private @Nullable File crds;

    /** Where the operator's roles are written for tests that run under them. */
    @Parameter(
            property = "reconciler4j.roles",
            defaultValue = "${project.build.outputDirectory}/META-INF/reconciler4j/rbac.yaml")
    private @Nullable File roles;

    /** The folder of the chart; empty to write none. */
    @Parameter(property = "reconciler4j.chart", defaultValue = "${project.basedir}/chart")
    private @Nullable File chart;

    /** The folder of the plain manifests; none are written by default. */
    @Parameter(property = "reconciler4j.manifests")
    private @Nullable File manifests;

    /** The folder of the bundle for the Operator Lifecycle Manager; none is written by default. */
    @Parameter(property = "reconciler4j.bundle")
    private @Nullable File bundle;

    /** The folder of a file-based catalog, to which the bundle is added; none is written by default. */
    @Parameter(property = "reconciler4j.catalog")
    private @Nullable File catalog;

    /** The file with a page of the kinds and their fields, in Markdown; none is written by default. */
    @Parameter(property = "reconciler4j.apiDocs")
    private @Nullable File apiDocs;

    /** Parts of a ClusterServiceVersion that are merged into the one of the bundle. */
    @Parameter(property = "reconciler4j.bundleBase", defaultValue = "${project.basedir}/olm/base.yaml")
    private @Nullable File bundleBase;

    /** The icon of the bundle, an SVG, PNG, JPEG or GIF; {@code olm/icon.svg} or {@code olm/icon.png} by default. */
    @Parameter(property = "reconciler4j.icon")
    private @Nullable File icon;

    /** The channels of the bundle, the default one first; {@code stable} by default. */
    @Parameter(property = "reconciler4j.channels")
    private @Nullable List<String> channels;

    /** The name of the ClusterServiceVersion that this one replaces, for instance {@code greetings.v1.0.0}. */
    @Parameter(property = "reconciler4j.replaces")
    private @Nullable String replaces;

    /** The folder with examples of the kinds as YAML files, for the bundle. Kinds without one get one from the definition. */
    @Parameter(property = "reconciler4j.examples", defaultValue = "${project.basedir}/examples")
    private @Nullable File examples;

    /** The repository of the image, without a tag. */
    @Parameter(property = "reconciler4j.image", defaultValue = "${project.artifactId}")
    private @Nullable String image;

    /** The version of the operator, which is the default tag of its image. */
    @Parameter(property = "reconciler4j.appVersion", defaultValue = "${project.version}")
    private @Nullable String appVersion;

    /** The version of the chart; the one in {@code Chart.yaml} stays by default. */
    @Parameter(property = "reconciler4j.chartVersion")
    private @Nullable String chartVersion;

    /** The lowest version of Kubernetes that admission policies are for; 1.30 by default. */
    @Parameter(property = "reconciler4j.minKubernetes")
    private @Nullable String minKubernetes;

    /** Whether an admission policy is written that lets the operator write its own objects only. */
    @Parameter(property = "reconciler4j.ownOnly", defaultValue = "false")
    private boolean ownOnly;

    /** Properties of the application while its beans are created, for instance a profile. */
    @Parameter
    private @Nullable Map<String, String> properties;

    /** Values of the chart that turn something on or off by a boolean property. */
    @Parameter
    private @Nullable List<Switch> switches;

    /** Whether nothing is written and the build fails if something would change. */
    @Parameter(property = "reconciler4j.check", defaultValue = "false")
    private boolean check;

    /** Whether generated files that were edited are overwritten. */
    @Parameter(property = "reconciler4j.force", defaultValue = "false")
    private boolean force;

    /** Further kinds, for instance of a library, by class name. */
    @Parameter
    private @Nullable List<String> kinds;

    /** The length in characters above which descriptions are cut after a sentence; 0 leaves all out. */
    @Parameter(property = "reconciler4j.maxDescriptionLength")
    private @Nullable Integer maxDescriptionLength;

    /** Creates the goal. */
    public GenerateMojo() {}

    /**
     * A value of the chart that sets a boolean property.
     *
     * @since 0.1.0
     */
    public static final class Switch {

        /** The value, with dots. */
        @Parameter(required = true)
        private @Nullable String value;

        /** The property of the application. */
        @Parameter(required = true)
        private @Nullable String property;

        /** The comment in {@code values.yaml}. */
        @Parameter
        private @Nullable String description;

        /** Creates a switch, which Maven then fills in. */
        public Switch() {}

        @Override
        public String toString() {
            return value + "=" + property + (description == null ? "" : "=" + description);
        }
    }

    @Override
    List<String> command() throws MojoExecutionException {
        List<String> command = new ArrayList<>(List.of("generate", "--main", mainClass()));
        add(command, "--crds", crds);
        add(command, "--roles", roles);
        add(command, "--chart", chart);
        add(command, "--manifests", manifests);
        add(command, "--bundle", bundle);
        addBundle(command);
        add(command, "--api-docs", apiDocs);
        add(command, "--examples", examples != null && examples.isDirectory() ? examples : null);
        add(command, "--image", image);
        add(command, "--app-version", appVersion);
        add(command, "--chart-version", chartVersion);
        add(command, "--min-kubernetes", minKubernetes);
        add(command, "--own-only", ownOnly);
        add(command, "--check", check);
        add(command, "--force", force);
        add(command, "--classes", project().getBuild().getOutputDirectory());
        add(command, "--max-description-length", maxDescriptionLength);
        sourceRoots().forEach(root -> add(command, "--sources", root));
        if (kinds != null) {
            kinds.forEach(kind -> add(command, "--kind", kind));
        }
        if (properties != null) {
            properties.forEach((key, value) -> add(command, "--property", key + "=" + value));
        }
        if (switches != null) {
            switches.forEach(one -> add(command, "--switch", one));
        }
        return command;
    }

    private void addBundle(List<String> command) {
        if (bundle == null && catalog == null) {
            return;
        }
        command.addAll(new PomDetails(project()).options());
        add(command, "--catalog", catalog);
        add(command, "--bundle-base", bundleBase != null && bundleBase.isFile() ? bundleBase : null);
        add(command, "--icon", icon == null ? defaultIcon() : icon);
        add(command, "--replaces", replaces);
        if (channels != null) {
            channels.forEach(channel -> add(command, "--channel", channel));
        }
    }

    private @Nullable Path defaultIcon() {
        return Stream.of("olm/icon.svg", "olm/icon.png")
                .map(project().getBasedir().toPath()::resolve)
                .filter(Files::isRegularFile)
                .findFirst()
                .orElse(null);
    }

    private static void add(List<String> command, String option, @Nullable Object value) {
        if (value != null && !value.toString().isEmpty()) {
            command.add(option);
            command.add(value.toString());
        }
    }

    private String mainClass() throws MojoExecutionException {
        String configured = mainClass;
        if (configured != null && !configured.isEmpty()) {
            return configured;
        }
        Path classes = Path.of(project().getBuild().getOutputDirectory());
        List<String> found = Files.isDirectory(classes) ? applications(classes) : List.of();
        if (found.size() != 1) {
            throw new MojoExecutionException(
                    found.isEmpty()
                            ? "There is no class with @SpringBootApplication in " + classes
                                    + ": set <mainClass> (R4J-741)"
                            : "Several classes have @SpringBootApplication: " + found + ". Set <mainClass> (R4J-742)");
        }
        return found.get(0);
    }

    private static List<String> applications(Path classes) throws MojoExecutionException {
        try (Stream<Path> files = Files.walk(classes)) {
            List<String> found = new ArrayList<>();
            for (Path file : files.filter(path -> path.toString().endsWith(".class"))
                    .sorted()
                    .toList()) {
                if (mentions(file, BOOT)) {
                    String name = classes.relativize(file).toString();
                    found.add(name.substring(0, name.length() - ".class".length())
                            .replace(file.getFileSystem().getSeparator(), "."));
                }
            }
            return found;
        } catch (IOException e) {
            throw new MojoExecutionException("Cannot search " + classes + ": " + e.getMessage(), e);
        }
    }

    private static boolean mentions(Path file, String constant) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(constant);
    }
}
