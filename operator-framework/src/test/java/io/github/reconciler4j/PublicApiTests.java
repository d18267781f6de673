package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The public API of each module is the one its file in {@code src/test/resources/api} lists, so that a change to it is
 * seen in review, and nothing becomes public or disappears by accident. To accept a change, run this test with
 * {@code -Dapi.accept=true} and commit the file.
 */
class PublicApiTests {

    static Stream<String> libraries() {
        return SourceTrees.LIBRARIES.stream().filter(module -> !module.equals("operator-test-server"));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void publicApiIsTheOneAccepted(String module) throws IOException {
        Path accepted = Path.of("src", "test", "resources", "api", module + ".txt");
        List<String> api = api(module);
        if (Boolean.getBoolean("api.accept")) {
            Files.createDirectories(accepted.getParent());
            Files.write(accepted, api);
        }
        assertThat(api)
                .as("public API of %s; if the change is meant, run this test with -Dapi.accept=true", module)
                .containsExactlyElementsOf(Files.readAllLines(accepted));
    }

    private static List<String> api(String module) throws IOException {
        TreeSet<String> api = new TreeSet<>();
        SourceTrees.parse(SourceTrees.sources(module, "main")).forEachPublicType((path, type) -> {
            String name = name(path);
            api.add(name + " " + modifiers(type.getModifiers()) + kind(type) + supertypes(type));
            for (MethodTree method : SourceTrees.publicMethods(type)) {
                api.add(name + "#" + signature(method));
            }
            for (Tree member : type.getMembers()) {
                if (member instanceof VariableTree field && isApi(field, type)) {
                    api.add(name + "." + field.getName() + ": " + modifiers(field.getModifiers()) + field.getType());
                }
            }
        });
        return List.copyOf(api);
    }

    private static boolean isApi(VariableTree field, ClassTree type) {
        boolean component = type.getKind() == Tree.Kind.RECORD
                && !modifiers(field.getModifiers()).contains("static");
        return component || SourceTrees.isPublic(field.getModifiers().getFlags(), type);
    }

    private static String name(TreePath path) {
        ClassTree type = (ClassTree) path.getLeaf();
        Tree owner = path.getParentPath().getLeaf();
        String prefix = owner instanceof ClassTree
                ? name(path.getParentPath())
                : path.getCompilationUnit().getPackageName().toString();
        return prefix + "." + type.getSimpleName() + joined("<", type.getTypeParameters(), ">");
    }

    private static String kind(ClassTree type) {
        return switch (type.getKind()) {
            case ANNOTATION_TYPE -> "@interface";
            default -> type.getKind().name().toLowerCase(Locale.ROOT);
        };
    }

    private static String supertypes(ClassTree type) {
        String parent = type.getExtendsClause() == null ? "" : " extends " + type.getExtendsClause();
        return parent
                + joined(" implements ", type.getImplementsClause(), "")
                + joined(" permits ", type.getPermitsClause(), "");
    }

    private static String signature(MethodTree method) {
        String parameters = method.getParameters().stream()
                .map(parameter -> modifiers(parameter.getModifiers()) + parameter.getType())
                .collect(Collectors.joining(", ", "(", ")"));
        String result = method.getReturnType() == null ? "" : ": " + method.getReturnType();
        String value = method.getDefaultValue() == null ? "" : " default " + method.getDefaultValue();
        return modifiers(method.getModifiers())
                + joined("<", method.getTypeParameters(), "> ")
                + method.getName()
                + parameters
                + result
                + joined(" throws ", method.getThrows(), "")
                + value;
    }

    private static String modifiers(ModifiersTree modifiers) {
        Stream<String> flags =
                modifiers.getFlags().stream().map(Modifier::toString).filter(flag -> !flag.equals("private"));
        Stream<String> annotations = modifiers.getAnnotations().stream()
                .map(Object::toString)
                .filter(text -> !text.startsWith("@Override") && !text.startsWith("@SuppressWarnings"));
        return Stream.concat(annotations, flags).map(word -> word + " ").collect(Collectors.joining());
    }

    private static String joined(String before, List<? extends Tree> trees, String after) {
        return trees.isEmpty()
                ? ""
                : trees.stream().map(Object::toString).collect(Collectors.joining(", ", before, after));
    }
}
