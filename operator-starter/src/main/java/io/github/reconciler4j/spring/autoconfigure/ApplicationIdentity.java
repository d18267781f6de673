package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.ManagerOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.info.BuildProperties;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The name and the version of the application, which are the defaults for the operator.
 *
 * @param name the name, {@code operator} if it is unknown
 * @param version the version of the build, or else of the manifest of the jar; empty if both are unknown
 */
record ApplicationIdentity(String name, String version) {

    static ApplicationIdentity of(Environment environment, @Nullable BuildProperties build) {
        String built = build == null ? null : build.getVersion();
        // Spring Boot reads this property from the manifest.
        String packaged = environment.getProperty("spring.application.version", "");
        String name = environment.getProperty("spring.application.name", "");
        return new ApplicationIdentity(
                StringUtils.hasText(name) ? name : "operator",
                built != null && StringUtils.hasText(built) ? built : packaged);
    }

    /** Return the default options with this name and version. */
    ManagerOptions options() {
        ManagerOptions options = ManagerOptions.defaults().withName(name);
        return StringUtils.hasText(version) ? options.withVersion(version) : options;
    }
}
