package io.github.reconciler4j.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.xml.XmlVisitor;
import org.openrewrite.xml.tree.Xml;

/**
 * Replaces dependencies on the Java Operator SDK in a {@code pom.xml}. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class MoveDependencies extends Recipe {

    private static final String GROUP = "io.github.reconciler4j";
    private static final String VERSION = version();

    private static final Map<String, String> ARTIFACTS = Map.of(
            "operator-framework", "reconciler4j-spring-boot-starter",
            "operator-framework-core", "reconciler4j-spring-boot-starter",
            "operator-framework-spring-boot-starter", "reconciler4j-spring-boot-starter",
            "operator-framework-spring-boot-starter-test", "reconciler4j-test-server",
            "operator-framework-junit", "reconciler4j-test-server",
            "operator-framework-junit-5", "reconciler4j-test-server",
            "operator-framework-bom", "reconciler4j-bom");

    /** Creates the recipe. */
    public MoveDependencies() {}

    /** Returns the version of this module, which the build writes beside this class. */
    static String version() {
        Properties properties = new Properties();
        try (InputStream file = MoveDependencies.class.getResourceAsStream("version.properties")) {
            properties.load(Objects.requireNonNull(file, "version.properties is missing"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    @Override
    public String getDisplayName() {
        return "Replace dependencies on the Java Operator SDK";
    }

    @Override
    public String getDescription() {
        return "Replaces the framework, its starter, its BOM and its support for tests in a `pom.xml`.";
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor() {
        return new XmlVisitor<>() {
            @Override
            public Xml visitDocument(Xml.Document document, ExecutionContext context) {
                return document.getSourcePath().endsWith("pom.xml") ? super.visitDocument(document, context) : document;
            }

            @Override
            public Xml visitTag(Xml.Tag tag, ExecutionContext context) {
                Xml.Tag visited = (Xml.Tag) super.visitTag(tag, context);
                String artifact = visited.getChildValue("artifactId").orElse("");
                String ours = ARTIFACTS.get(artifact);
                if (!visited.getName().equals("dependency")
                        || ours == null
                        || !visited.getChildValue("groupId").orElse("").matches("io\\.javaoperatorsdk")) {
                    return visited;
                }
                visited = visited.withChildValue("groupId", GROUP).withChildValue("artifactId", ours);
                return visited.getChild("version").isPresent() ? visited.withChildValue("version", VERSION) : visited;
            }
        };
    }
}
