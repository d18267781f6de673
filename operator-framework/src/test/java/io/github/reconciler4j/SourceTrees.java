package io.github.reconciler4j;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The sources of the modules, as the compiler's parser reads them. */
final class SourceTrees {

    /** The modules that programs compile against. */
    static final List<String> LIBRARIES = List.of(
            "operator-connection",
            "operator-workqueue",
            "operator-framework",
            "operator-installer",
            "operator-sharding",
            "operator-clusters",
            "operator-objectset",
            "operator-brake",
            "operator-external",
            "operator-plan",
            "operator-rewrite",
            "operator-controllers",
            "operator-test-cluster",
            "operator-starter",
            "operator-test",
            "operator-test-client",
            "operator-generator",
            "operator-webhook");

    private final Iterable<? extends CompilationUnitTree> units;
    private final DocTrees docs;

    private SourceTrees(Iterable<? extends CompilationUnitTree> units, DocTrees docs) {
        this.units = units;
        this.docs = docs;
    }

    static SourceTrees parse(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(sources));
            return new SourceTrees(task.parse(), DocTrees.instance(task));
        }
    }

    static List<Path> sources(String module, String kind) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..", module, "src", kind, "java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    Iterable<? extends CompilationUnitTree> units() {
        return units;
    }

    DocTrees docs() {
        return docs;
    }

    /** Calls back with each public type of the units, those within other public types included. */
    void forEachPublicType(BiConsumer<TreePath, ClassTree> action) {
        for (CompilationUnitTree unit : units) {
            String name =
                    unit.getPackageName() == null ? "" : unit.getPackageName().toString();
            if (!name.contains(".internal")) {
                unit.getTypeDecls().stream()
                        .filter(ClassTree.class::isInstance)
                        .forEach(type -> visit(new TreePath(new TreePath(unit), type), null, action));
            }
        }
    }

    private static void visit(TreePath path, ClassTree owner, BiConsumer<TreePath, ClassTree> action) {
        ClassTree type = (ClassTree) path.getLeaf();
        if (!isPublic(type.getModifiers().getFlags(), owner)) {
            return;
        }
        action.accept(path, type);
        for (Tree member : type.getMembers()) {
            if (member instanceof ClassTree) {
                visit(new TreePath(path, member), type, action);
            }
        }
    }

    /** Returns the methods and constructors that programs can call or override. */
    static List<MethodTree> publicMethods(ClassTree type) {
        List<MethodTree> methods = new ArrayList<>();
        for (Tree member : type.getMembers()) {
            if (member instanceof MethodTree method
                    && isPublic(method.getModifiers().getFlags(), type)) {
                methods.add(method);
            }
        }
        return methods;
    }

    static boolean isPublic(Set<Modifier> flags, ClassTree owner) {
        if (owner != null && (owner.getKind() == Tree.Kind.INTERFACE || owner.getKind() == Tree.Kind.ANNOTATION_TYPE)) {
            return !flags.contains(Modifier.PRIVATE);
        }
        boolean inheritable = owner != null && !owner.getModifiers().getFlags().contains(Modifier.FINAL);
        return flags.contains(Modifier.PUBLIC) || (inheritable && flags.contains(Modifier.PROTECTED));
    }
}
