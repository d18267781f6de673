package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.installer.CrdInstaller;
import io.github.reconciler4j.installer.CrdInstallerOptions;
import io.github.reconciler4j.manager.Manager;
import java.time.Duration;
import java.util.List;

/** What an operator that installs its definitions looks like. */
final class InstallerUse {

    private InstallerUse() {}

    static void install(Manager manager, CustomResourceDefinition pages) throws InterruptedException {
        CrdInstaller.addTo(manager, List.of(pages), CrdInstallerOptions.defaults());
        manager.start(); // returns when the definition is served
    }

    static CrdInstallerOptions onlyMigrate() {
        return CrdInstallerOptions.defaults()
                .withInstall(false) // a chart installs the definitions
                .withTimeout(Duration.ofMinutes(5));
    }
}
