package io.github.reconciler4j.generator.crd;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.EndElementTree;
import com.sun.source.doctree.EntityTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.ReturnTree;
import com.sun.source.doctree.StartElementTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import io.github.reconciler4j.generator.GeneratorException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * What the Javadoc or KDoc of sources says about classes and their properties, as plain text. Java is parsed by the JDK's own
 * compiler, so sources may use every feature of that JDK's language; they need not compile.
 */
final class Javadocs {

    private static final String COMPONENT = "component ";

    private final Map<String, String> texts = new HashMap<>();

    private Javadocs() {}

    /** Return the Javadoc and KDoc of all sources in folders and in jars of sources. */
    static Javadocs read(Collection<Path> roots) {
        Javadocs docs = new Javadocs();
        for (Path root : roots) {
            docs.readRoot(root);
        }
        return docs;
    }

    /** Return the text of a class, null if it has none. */
    @Nullable
    String ofClass(Class<?> type) {
        return texts.get(type.getName());
    }

    /** Return the text of a field, record component or getter, in this order; null if none has one. */
    @Nullable
    String ofProperty(Class<?> type, @Nullable String field, @Nullable String getter) {
        String found = field == null ? null : texts.get(type.getName() + "#" + field);
        if (found == null && field != null) {
            found = texts.get(type.getName() + "#" + COMPONENT + field);
        }
        return found != null || getter == null ? found : texts.get(type.getName() + "#" + getter + "()");
    }

    private void readRoot(Path root) {
        try {
            if (Files.isDirectory(root)) {
                readTree(root);
            } else if (Files.exists(root)) {
                try (FileSystem jar = FileSystems.newFileSystem(root)) {
                    readTree(jar.getPath("/"));
                }
            }
        } catch (IOException e) {
            throw new GeneratorException("Cannot read the sources in " + root + ": " + e.getMessage(), e);
        }
    }

    private void readTree(Path folder) throws IOException {
        List<Source> sources = files(folder, ".java").stream()
                .filter(file -> !file.endsWith("module-info.java"))
                .map(Source::new)
                .toList();
        if (!sources.isEmpty()) {
            parse(sources);
        }
        for (Path file : files(folder, ".kt")) {
            KotlinDocs.read(Files.readString(file), texts::putIfAbsent);
        }
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    private void parse(List<Source> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new GeneratorException(
                    "Descriptions are read from Javadoc, which needs a JDK, but this Java has no compiler: run the build"
                            + " with a JDK, or leave out the source folders (R4J-710)");
        }
        JavacTask task = (JavacTask) compiler.getTask(null, null, problem -> {}, List.of("-proc:none"), null, sources);
        DocTrees trees = DocTrees.instance(task);
        for (CompilationUnitTree unit : task.parse()) {
            new Scanner(trees).scan(new TreePath(unit), packageOf(unit));
        }
    }

    private static String packageOf(CompilationUnitTree unit) {
        return unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
    }

    /** Finds what has a comment; the argument is the prefix of binary names. */
    private final class Scanner extends TreePathScanner<@Nullable Void, String> {

        private final DocTrees trees;

        Scanner(DocTrees trees) {
            this.trees = trees;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, String prefix) {
            String name = prefix + type.getSimpleName();
            DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
            if (comment != null) {
                put(name, PlainText.of(comment.getFullBody()));
                components(name, comment);
            }
            for (Tree member : type.getMembers()) {
                member(name, member);
            }
            return null;
        }

        private void member(String type, Tree member) {
            TreePath path = new TreePath(getCurrentPath(), member);
            if (member instanceof ClassTree) {
                scan(member, type + "$");
            } else if (member instanceof VariableTree field
                    && !field.getModifiers().getFlags().contains(Modifier.STATIC)) {
                DocCommentTree comment = trees.getDocCommentTree(path);
                if (comment != null) {
                    put(type + "#" + field.getName(), PlainText.of(comment.getFullBody()));
                }
            } else if (member instanceof MethodTree method
                    && method.getParameters().isEmpty()) {
                DocCommentTree comment = trees.getDocCommentTree(path);
                if (comment != null) {
                    put(type + "#" + method.getName() + "()", ofGetter(comment));
                }
            }
        }

        /** The components of a record, and what any class says of its parameters. */
        private void components(String type, DocCommentTree comment) {
            for (DocTree tag : comment.getBlockTags()) {
                if (tag instanceof ParamTree param && !param.isTypeParameter()) {
                    put(type + "#" + COMPONENT + param.getName(), PlainText.of(param.getDescription()));
                }
            }
        }

        /** {@code @return} describes the property better than a sentence that starts with "Return". */
        private String ofGetter(DocCommentTree comment) {
            for (DocTree tag : comment.getBlockTags()) {
                if (tag instanceof ReturnTree result && comment.getFullBody().isEmpty()) {
                    return PlainText.of(result.getDescription());
                }
            }
            return PlainText.of(comment.getFullBody());
        }

        private void put(String key, String text) {
            if (!text.isEmpty()) {
                texts.putIfAbsent(key, text);
            }
        }
    }

    /** A comment without markup: words, one blank line between paragraphs, a dash before items of lists. */
    private static final class PlainText {

        private final StringBuilder text = new StringBuilder();

        static String of(List<? extends DocTree> parts) {
            PlainText result = new PlainText();
            parts.forEach(result::add);
            return Stream.of(result.text.toString().split("\0"))
                    .map(paragraph -> paragraph.strip().replaceAll("\\s+", " "))
                    .filter(paragraph -> !paragraph.isEmpty())
                    .collect(Collectors.joining("\n\n"))
                    .replace("\n\n- ", "\n- ");
        }

        private void add(DocTree part) {
            if (part instanceof TextTree words) {
                text.append(words.getBody());
            } else if (part instanceof LiteralTree literal) {
                text.append(literal.getBody().getBody());
            } else if (part instanceof LinkTree link) {
                addLink(link);
            } else if (part instanceof EntityTree entity) {
                text.append(entity(entity.getName().toString()));
            } else if (part instanceof StartElementTree start) {
                addElement(start.getName().toString());
            } else if (part instanceof EndElementTree end && !end.getName().contentEquals("li")) {
                addElement(end.getName().toString());
            } else if (part instanceof ReturnTree inline) {
                inline.getDescription().forEach(this::add);
            }
        }

        private void addLink(LinkTree link) {
            if (link.getLabel().isEmpty()) {
                String target = link.getReference().getSignature();
                text.append(target.startsWith("#") ? target.substring(1) : target.replace('#', '.'));
            } else {
                link.getLabel().forEach(this::add);
            }
        }

        private void addElement(String name) {
            switch (name.toLowerCase(java.util.Locale.ROOT)) {
                case "p", "br", "ul", "ol", "pre", "table", "tr" -> text.append('\0');
                case "li" -> text.append("\0- ");
                default -> {}
            }
        }

        private static String entity(String name) {
            return switch (name) {
                case "lt" -> "<";
                case "gt" -> ">";
                case "amp" -> "&";
                case "quot" -> "\"";
                case "nbsp" -> " ";
                case "mdash", "ndash" -> "-";
                default -> "&" + name + ";";
            };
        }
    }

    /** A file, which may lie inside a jar. */
    private static final class Source extends SimpleJavaFileObject {

        private final Path file;

        Source(Path file) {
            super(URI.create("source:///" + file.getFileName()), JavaFileObject.Kind.SOURCE);
            this.file = file;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) throws IOException {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        }
    }
}
