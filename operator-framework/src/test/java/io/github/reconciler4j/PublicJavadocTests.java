package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every public type and method is documented, and every public type says since when it is there. */
class PublicJavadocTests {

    static Stream<String> libraries() {
        return SourceTrees.LIBRARIES.stream();
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void publicTypesAndMethodsAreDocumented(String module) throws IOException {
        List<String> undocumented = new ArrayList<>();
        List<String> types = new ArrayList<>();
        SourceTrees sources = SourceTrees.parse(SourceTrees.sources(module, "main"));
        sources.forEachPublicType((path, type) -> {
            types.add(type.getSimpleName().toString());
            String comment = sources.docs().getDocComment(path);
            if (comment == null) {
                undocumented.add(name(path));
            } else if (path.getParentPath().getLeaf().getKind() == Tree.Kind.COMPILATION_UNIT
                    && !comment.contains("@since 0.1.0")) {
                undocumented.add(name(path) + " (no @since)");
            }
            for (MethodTree method : SourceTrees.publicMethods(type)) {
                if (needsComment(method, type) && sources.docs().getDocComment(new TreePath(path, method)) == null) {
                    undocumented.add(name(path) + "#" + method.getName());
                }
            }
        });
        assertThat(types).hasSizeGreaterThan(1);
        assertThat(undocumented).isEmpty();
    }

    private static boolean needsComment(MethodTree method, ClassTree type) {
        boolean canonical = type.getKind() == Tree.Kind.RECORD && method.getReturnType() == null;
        return !canonical
                && method.getModifiers().getAnnotations().stream()
                        .noneMatch(annotation ->
                                annotation.getAnnotationType().toString().equals("Override"));
    }

    private static String name(TreePath path) {
        String name = ((ClassTree) path.getLeaf()).getSimpleName().toString();
        return path.getParentPath().getLeaf() instanceof ClassTree ? name(path.getParentPath()) + "." + name : name;
    }
}
