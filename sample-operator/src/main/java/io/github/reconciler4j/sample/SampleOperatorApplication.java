package io.github.reconciler4j.sample;

import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.spring.autoconfigure.ManagerOptionsCustomizer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * Runs the sample operator.
 *
 * @since 0.1.0
 */
@SpringBootApplication
public class SampleOperatorApplication {

    private static final GroupVersionKind SECRET = GroupVersionKind.of("v1", "Secret");

    /** Of Secrets only the metadata is kept in memory: that something changed is all the operator watches them for. */
    @Bean
    static ManagerOptionsCustomizer secretsWithoutContent() {
        return options -> options.withCache(
                options.cache().withKind(SECRET, options.cache().of(SECRET).withStorage(StorageForm.METADATA)));
    }

    /** Starts the application; settings as for any Spring Boot application. */
    public static void main(String[] arguments) {
        SpringApplication.run(SampleOperatorApplication.class, arguments);
    }
}
