package io.github.reconciler4j.rewrite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Comment;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.TextComment;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.Markers;

/** Names of the Java Operator SDK, and comments for people. */
final class Sdk {

    static final String ROOT = "io.javaoperatorsdk.operator.";
    static final String API = ROOT + "api.reconciler.";
    static final String OURS = "io.github.reconciler4j.reconcile.";

    /** What an import of the SDK starts with; samples of the SDK itself have other packages below the root. */
    private static final Pattern IMPORT = Pattern.compile(
            "io\\.javaoperatorsdk\\.operator\\.(?:(?:api|processing|config|junit|monitoring)\\..*|[A-Z].*)");

    private Sdk() {}

    static boolean isImport(String name) {
        return IMPORT.matcher(name).matches();
    }

    static boolean is(@Nullable JavaType type, String name) {
        JavaType.FullyQualified known = TypeUtils.asFullyQualified(type);
        return known != null && known.getFullyQualifiedName().equals(name);
    }

    /** Returns a space with a comment for people before what follows. */
    static Space todo(Space space, String text) {
        return comment(space, " TODO reconciler4j: " + text + " ");
    }

    /** Returns a space with a comment before what follows, in its indentation. */
    static Space comment(Space space, String text) {
        String indent = "\n" + (space.getComments().isEmpty() ? space.getIndent() : indentOf(space));
        List<Comment> comments = new ArrayList<>(space.getComments());
        comments.add(new TextComment(true, text.replace("*/", "* /"), indent, Markers.EMPTY));
        return space.withComments(comments);
    }

    private static String indentOf(Space space) {
        String suffix = space.getComments().get(space.getComments().size() - 1).getSuffix();
        return suffix.substring(suffix.lastIndexOf('\n') + 1);
    }

    static <T extends J> T todos(T tree, Collection<String> texts) {
        T marked = tree;
        for (String text : texts) {
            marked = marked.withPrefix(todo(marked.getPrefix(), text));
        }
        return marked;
    }
}
