package io.github.reconciler4j.generator;

import io.github.reconciler4j.generator.docs.ApiPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;

/** Writes the page of the operator's kinds, or checks that it is up to date. */
final class ApiDocs {

    private ApiDocs() {}

    /**
     * Writes the page.
     *
     * @param check whether the file is only compared
     * @param force whether a page that people have written is overwritten
     */
    static void write(Path file, Collection<Map<String, Object>> definitions, boolean check, boolean force) {
        String page = new ApiPage(definitions).markdown();
        String current = read(file);
        if (check && !page.equals(current)) {
            throw GenerateCommand.outdated(file.toString());
        }
        if (!force && !current.isBlank() && !ApiPage.isGenerated(current)) {
            throw new GeneratorException(file + " was not written by the generator. Choose another file for --api-docs"
                    + " (apiDocs of the Maven goal), or overwrite this one with force (R4J-730)");
        }
        OutputFiles.write(file, page);
    }

    /** A checkout can have other ends of lines. */
    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file).replace("\r\n", "\n") : "";
        } catch (IOException e) {
            throw new GeneratorException("Cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
