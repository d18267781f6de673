package io.github.reconciler4j.generator;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Writes this program and its libraries to a folder, for builds of images: only the JVM of an image can train for it. */
final class AotTrainerCommand implements Main.Command {

    private static final String TRAINER = "trainer.jar";
    private static final String LIBRARIES = "lib";

    @Override
    public String usage() {
        return """
                  Write this program with its libraries to a folder, to run 'java -jar trainer.jar aot-cache' in an image.
                  --out DIR                     the folder, which is replaced (required)
                  --examples DIR                YAML files to copy to its folder 'examples'
                  --exclude NAME                leave out libraries whose file name starts so; may be repeated
                """;
    }

    @Override
    public void run(Arguments arguments) {
        Path folder = Path.of(arguments.required("out"));
        Optional<Path> examples = arguments.one("examples").map(Path::of);
        List<String> excluded = arguments.all("exclude");
        arguments.checkAllUsed();
        try {
            Path libraries = emptied(folder.resolve(LIBRARIES));
            List<String> names = new ArrayList<>();
            for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
                Path path = Path.of(element);
                String name = (path.getFileName() + ".jar").replaceFirst("\\.jar\\.jar$", ".jar");
                if (Files.exists(path) && excluded.stream().noneMatch(name::startsWith)) {
                    String unique = names.contains(name) ? names.size() + "-" + name : name;
                    copy(path, libraries.resolve(unique));
                    names.add(unique);
                }
            }
            writeProgram(folder.resolve(TRAINER), names);
            Path copies = emptied(folder.resolve("examples"));
            if (examples.isPresent() && Files.isDirectory(examples.get())) {
                for (Path file : children(examples.get())) {
                    Files.copy(file, copies.resolve(file.getFileName().toString()));
                }
            }
            System.out.println(folder);
        } catch (IOException e) {
            throw new GeneratorException("Cannot write " + folder + ": " + e.getMessage(), e);
        }
    }

    private static Path emptied(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Path file : children(folder)) {
            Files.delete(file);
        }
        return folder;
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** A folder of classes becomes a jar. */
    private static void copy(Path element, Path jar) throws IOException {
        if (!Files.isDirectory(element)) {
            Files.copy(element, jar, StandardCopyOption.COPY_ATTRIBUTES);
            return;
        }
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream output = new JarOutputStream(file);
                Stream<Path> files = Files.walk(element)) {
            for (Path one : files.filter(Files::isRegularFile).sorted().toList()) {
                output.putNextEntry(
                        new JarEntry(element.relativize(one).toString().replace('\\', '/')));
                Files.copy(one, output);
            }
        }
    }

    /** The manifest keeps the order of the class path. */
    private static void writeProgram(Path jar, List<String> libraries) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
        attributes.put(
                Attributes.Name.CLASS_PATH,
                String.join(
                        " ",
                        libraries.stream()
                                .map(name -> LIBRARIES + "/" + name.replace(" ", "%20"))
                                .toList()));
        try (OutputStream file = Files.newOutputStream(jar)) {
            new JarOutputStream(file, manifest).close();
        }
    }
}
