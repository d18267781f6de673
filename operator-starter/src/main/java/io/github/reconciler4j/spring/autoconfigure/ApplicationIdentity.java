package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.ManagerOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.info.BuildProperties;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The name and the version of the application, which are those of the operator unless it has its own.
 *
 * @param name what the application is called, {@code operator} if that is unknown
 * @param version what its build says, else the manifest of its jar; empty if neither does
 */
record ApplicationIdentity(String name, String version) {

    static ApplicationIdentity of(Environment environment, @Nullable BuildProperties build) {
        String built = build == null ? null : build.getVersion();
        // Spring Boot takes this property from the manifest.
        String packaged = environment.getProperty("spring.application.version", "");
        String name = environment.getProperty("spring.application.name", "");
        return new ApplicationIdentity(
                StringUtils.hasText(name) ? name : "operator",
                built != null && StringUtils.hasText(built) ? built : packaged);
    }

    /** The defaults with this name and version. */
    ManagerOptions options() {
        ManagerOptions options = ManagerOptions.defaults().withName(name);
        return StringUtils.hasText(version) ? options.withVersion(version) : options;
    }
}
