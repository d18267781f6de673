package io.github.reconciler4j.generator;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.generator.crd.CrdGenerator;
import io.github.reconciler4j.generator.crd.CrdOptions;
import io.github.reconciler4j.generator.crd.CrdResult;
import io.github.reconciler4j.generator.crd.KindClasses;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.DefinitionGenerator;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * The definitions that the command {@code crds} writes, for an application that runs while its classes change. Warnings are left to the
 * next build. {@link java.util.ServiceLoader} creates it. Safe for use by multiple threads.
 *
 * @since 0.1.0
 */
public final class ClassDefinitions implements DefinitionGenerator {

    /** Used by {@link java.util.ServiceLoader}. */
    public ClassDefinitions() {}

    @Override
    public List<CustomResourceDefinition> generate(Collection<Path> folders) {
        CrdResult result = new CrdGenerator(CrdOptions.defaults()).generate(KindClasses.find(folders, List.of()));
        return result.definitions().stream()
                .map(tree -> Yaml.convert(tree, CustomResourceDefinition.class))
                .toList();
    }

    @Override
    public boolean hasWritten(String text) {
        return text.startsWith(CrdsCommand.HEADER);
    }
}
