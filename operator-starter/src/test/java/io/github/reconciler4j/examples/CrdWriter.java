package io.github.reconciler4j.examples;

import io.fabric8.crdv2.generator.CRDGenerator;
import java.io.File;

/** Writes the definition of {@link WebPage}, as a build would have it done. */
final class CrdWriter {

    private CrdWriter() {}

    /** Takes the folder to write to. */
    public static void main(String... folders) {
        File folder = new File(folders[0]);
        folder.mkdirs();
        new CRDGenerator()
                .customResourceClasses(WebPage.class)
                .forCRDVersions("v1")
                .inOutputDir(folder)
                .generate();
    }
}
