package io.github.reconciler4j.generator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.generator.crd.CrdGenerator;
import io.github.reconciler4j.generator.crd.CrdOptions;
import io.github.reconciler4j.generator.crd.CrdResult;
import io.github.reconciler4j.generator.crd.KindClasses;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes a file for each definition. */
final class CrdsCommand implements Main.Command {

    static final String HEADER = "# Generated from the classes of the operator. Changes are overwritten.\n";

    @Override
    public String usage() {
        return """
                  Write a CustomResourceDefinition for each class with @Group and @Version.
                  --out DIR                     where to write NAME.yaml for each definition (required)
                  --classes DIR                 compiled classes to search for kinds; may be repeated
                  --kind CLASS                  a further kind, for instance of a library; may be repeated
                  --sources DIR|JAR             sources whose Javadoc or KDoc becomes descriptions; may be repeated
                  --max-description-length N    longer descriptions are cut; 0 leaves all out
                  --verify true|false           let an API server in this JVM check them; true by default
                """;
    }

    @Override
    public void run(Arguments arguments) {
        Path out = Path.of(arguments.required("out"));
        List<Class<? extends HasMetadata>> kinds = kinds(arguments);
        CrdOptions options = options(arguments);
        arguments.checkAllUsed();
        CrdResult result = new CrdGenerator(options).generate(kinds);
        result.warnings().forEach(warning -> System.err.println("Warning: " + warning));
        write(result, out);
    }

    static void write(CrdResult result, Path folder) {
        for (Map<String, Object> definition : result.definitions()) {
            OutputFiles.write(folder.resolve(fileName(definition)), HEADER + Yaml.write(definition));
        }
    }

    static List<Class<? extends HasMetadata>> kinds(Arguments arguments) {
        return KindClasses.find(arguments.paths("classes"), arguments.all("kind"));
    }

    static CrdOptions options(Arguments arguments) {
        return CrdOptions.defaults()
                .withSources(arguments.paths("sources"))
                .withMaxDescriptionLength(arguments.number("max-description-length", Integer.MAX_VALUE))
                .withVerify(arguments.flag("verify", true));
    }

    private static String fileName(Map<String, Object> definition) {
        return ((Map<?, ?>) definition.getOrDefault("metadata", Map.of())).get("name") + ".yaml";
    }
}
