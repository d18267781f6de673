package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.plan.Plan;
import io.github.reconciler4j.plan.PlanReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * {@link AutoConfiguration Auto-configuration} of a plan: with {@code reconciler4j.mode=plan}, the application prints what the operator
 * would do, and ends.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(Plan.class)
@ConditionalOnBooleanProperty(name = "reconciler4j.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "reconciler4j.mode", havingValue = "plan")
public final class PlanAutoConfiguration {

    @Bean
    Plan reconciler4jPlan() {
        return Plan.create();
    }

    /** The manager does not start, see {@link ManagerLifecycle}. */
    @Bean
    PlanRunner reconciler4jPlanRunner(
            Plan plan, Manager manager, OperatorProperties properties, ConfigurableApplicationContext context) {
        return new PlanRunner(plan, manager, properties.plan(), context);
    }

    /** Makes the plan, and ends the process if the JVM was started for the application. */
    static final class PlanRunner implements ApplicationRunner, ExitCodeGenerator {

        private final Plan plan;
        private final Manager manager;
        private final OperatorProperties.Planning properties;
        private final ConfigurableApplicationContext context;
        private volatile int exitCode = PlanReport.FAILED;

        PlanRunner(
                Plan plan,
                Manager manager,
                OperatorProperties.Planning properties,
                ConfigurableApplicationContext context) {
            this.plan = plan;
            this.manager = manager;
            this.properties = properties;
            this.context = context;
        }

        @Override
        public void run(ApplicationArguments arguments) throws IOException, InterruptedException {
            String file = properties.file();
            Path path = file == null || file.isBlank() ? null : Path.of(file);
            if (path != null) {
                Files.writeString(path, "", StandardCharsets.UTF_8); // fails before the plan, which can take long
            }
            PlanReport report = plan.run(manager, properties.timeout());
            String text = properties.format() == OperatorProperties.Planning.Format.JSON
                    ? report.toJson() + System.lineSeparator()
                    : report.toText();
            if (path == null) {
                System.out.print(text);
                System.out.flush();
            } else {
                Files.write(path, text.getBytes(StandardCharsets.UTF_8)); // replaces what is no character
            }
            exitCode = report.exitCode();
            if (Launch.isStandalone(context)) {
                System.exit(SpringApplication.exit(context));
            }
        }

        @Override
        public int getExitCode() {
            return exitCode;
        }
    }

    /**
     * Runs a plan without servers, which would need ports of the running version, and without a log that is mixed with the report. The
     * log has errors unless the application says otherwise.
     */
    static final class Defaults implements EnvironmentPostProcessor {

        Defaults() {}

        @Override
        public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
            if (!environment.getProperty("reconciler4j.mode", "").equalsIgnoreCase("plan")) {
                return;
            }
            environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "reconciler4jPlan",
                            Map.of(
                                    "spring.main.web-application-type", "none",
                                    "spring.main.banner-mode", "off",
                                    "reconciler4j.webhook.enabled", "false",
                                    "reconciler4j.crds.install", "false",
                                    "reconciler4j.crds.migrate-storage", "false")));
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource("reconciler4jPlanLog", Map.of("logging.level.root", "error")));
        }
    }
}
