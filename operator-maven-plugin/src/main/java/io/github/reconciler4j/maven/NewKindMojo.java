package io.github.reconciler4j.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Writes the classes of a new kind: resource, spec, status, reconciler and test, and on request webhooks and a second version with
 * its converter. Existing files stay unchanged; if one of the
 * files exists, the goal fails.
 *
 * @since 0.1.0
 */
@Mojo(name = "new-kind", threadSafe = true)
public final class NewKindMojo extends GeneratorMojo {

    /** The kind, for instance {@code Database}. */
    @Parameter(property = "kind")
    private @Nullable String kind;

    /** The API group, for instance {@code example.com}. */
    @Parameter(property = "group", defaultValue = "${reconciler4j.group}")
    private @Nullable String group;

    /** The Java package of the classes. */
    @Parameter(property = "package", defaultValue = "${reconciler4j.package}")
    private @Nullable String packageName;

    /** The name of the resource. By default it follows from the kind. */
    @Parameter(property = "plural")
    private @Nullable String plural;

    /** The scope of the kind, {@code Namespaced} or {@code Cluster}. */
    @Parameter(property = "scope", defaultValue = "Namespaced")
    private String scope = "Namespaced";

    /** The version that is stored. */
    @Parameter(property = "version", defaultValue = "v1alpha1")
    private String version = "v1alpha1";

    /** A second version, whose objects a webhook converts. If it is not set, the kind has one version. */
    @Parameter(property = "formerVersion")
    private @Nullable String formerVersion;

    /** Whether to write a validator and a defaulter. */
    @Parameter(property = "webhooks", defaultValue = "false")
    private boolean webhooks;

    /** Creates the goal. */
    public NewKindMojo() {}

    @Override
    List<String> command() throws MojoFailureException {
        if (kind == null || group == null || packageName == null) {
            throw new MojoFailureException(
                    "Set -Dkind=Database, and -Dgroup=example.com and -Dpackage=com.example unless"
                            + " the properties reconciler4j.group and reconciler4j.package of the project do (R4J-743)");
        }
        List<String> command =
                new ArrayList<>(List.of("new-kind", "--kind", kind, "--group", group, "--package", packageName));
        if (plural != null) {
            command.addAll(List.of("--plural", plural));
        }
        if (formerVersion != null) {
            command.addAll(List.of("--former-version", formerVersion));
        }
        command.addAll(List.of("--scope", scope, "--version", version, "--webhooks", Boolean.toString(webhooks)));
        command.addAll(List.of("--sources", project().getBuild().getSourceDirectory()));
        command.addAll(List.of("--tests", project().getBuild().getTestSourceDirectory()));
        command.addAll(List.of("--examples", new File(project().getBasedir(), "examples").toString()));
        return command;
    }

    /** The project need not compile, so the libraries of the plugin are enough. */
    @Override
    List<String> projectClassPath() {
        return List.of();
    }
}
