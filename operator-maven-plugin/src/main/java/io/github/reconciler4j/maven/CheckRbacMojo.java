package io.github.reconciler4j.maven;

import java.io.File;
import java.util.List;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Fails if the operator's tests needed a permission that its generated roles do not grant, and warns of permissions that no
 * test has needed. {@code @OperatorTest} records what the operator asks of the API server in the JVM of the tests.
 *
 * @since 0.1.0
 */
@Mojo(name = "check-rbac", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CheckRbacMojo extends GeneratorMojo {

    /** The generated roles. */
    @Parameter(
            property = "reconciler4j.roles",
            defaultValue = "${project.build.outputDirectory}/META-INF/reconciler4j/rbac.yaml")
    private @Nullable File roles;

    /** The folder with what the tests have recorded. */
    @Parameter(property = "reconciler4j.requests", defaultValue = "${project.build.directory}/reconciler4j/requests")
    private @Nullable File requests;

    /** What permissions are that no test has needed: {@code error}, {@code warning} or {@code ignore}. */
    @Parameter(property = "reconciler4j.unused", defaultValue = "warning")
    private @Nullable String unused;

    /** Skips the goal as it skips the tests. */
    @Parameter(property = "skipTests", defaultValue = "false")
    private boolean skipTests;

    /** Creates the goal. */
    public CheckRbacMojo() {}

    @Override
    @Nullable
    List<String> command() {
        File folder = requests;
        if (skipTests || folder == null || !folder.isDirectory()) {
            getLog().info("No test has recorded requests in " + requests);
            return null;
        }
        return List.of(
                "check-rbac",
                "--roles",
                String.valueOf(roles),
                "--requests",
                folder.toString(),
                "--unused",
                String.valueOf(unused));
    }

    /** Nothing of the project is loaded, so the plugin's own libraries do. */
    @Override
    List<String> projectClassPath() {
        return List.of();
    }
}
