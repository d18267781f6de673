package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the files that install an operator.
 *
 * @since 0.1.0
 */
public final class Outputs {

    private final OperatorDescription operator;
    private final OutputOptions options;

    /** Create outputs of an operator. */
    public Outputs(OperatorDescription operator, OutputOptions options) {
        this.operator = operator;
        this.options = options;
    }

    /**
     * Write a Helm chart into a folder. What people have changed of {@code values.yaml}, {@code Chart.yaml},
     * {@code NOTES.txt} and {@code .helmignore}, and templates of their own, stay.
     *
     * @throws GeneratorException if people have edited a file that belongs to the generator
     */
    public void writeChart(Path folder) {
        chart(folder).write(options.force());
    }

    /** Return the files that {@link #writeChart} would change, empty if the chart is up to date. */
    public List<String> chartDifferences(Path folder) {
        return chart(folder).differences();
    }

    private ManagedFiles chart(Path folder) {
        ManagedFiles files = new ManagedFiles(folder);
        new ChartWriter(operator, options).addTo(files);
        return files;
    }

    /**
     * Write a kustomize base, and {@code install.yaml} with all of it for {@code kubectl apply}.
     *
     * @throws GeneratorException if people have edited a file that belongs to the generator
     */
    public void writeManifests(Path folder) {
        ManagedFiles files = new ManagedFiles(folder);
        new ManifestWriter(operator, options).addTo(files);
        files.write(options.force());
    }

    /**
     * Write a bundle for the Operator Lifecycle Manager, in the format {@code registry+v1}.
     *
     * @throws GeneratorException if the version is not semantic, the operator watches fixed namespaces, or people have
     *     edited a file that belongs to the generator
     */
    public void writeBundle(Path folder) {
        ManagedFiles files = new ManagedFiles(folder);
        new BundleWriter(operator, options).addTo(files);
        files.write(options.force());
    }

    /**
     * Write a file-based catalog with the bundle. Bundles of earlier releases that the folder has stay. The image of the bundle is
     * that of the operator with {@code -bundle}.
     *
     * @throws GeneratorException as {@link #writeBundle}, or if it is not clear which bundle this one replaces
     */
    public void writeCatalog(Path folder) {
        ManagedFiles files = new ManagedFiles(folder);
        new CatalogWriter(operator.name(), new BundleWriter(operator, options).serviceVersion(), options).addTo(files);
        files.write(options.force());
    }

    /** Return the operator's roles and bindings with all switches and sharding on. */
    public String roles() {
        return new ManifestWriter(operator, options).allRoles();
    }

    /** Return the policy that lets the operator write its own objects only, and its binding; empty unless the options ask for it. */
    public String ownOnly() {
        return options.ownOnly() ? new OwnOnlyTexts(operator).manifest() : "";
    }
}
