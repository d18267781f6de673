package ${package};

import io.github.reconciler4j.test.spring.DevelopmentCluster;
import org.springframework.boot.SpringApplication;

/** Runs the operator with an API server in its JVM: ./mvnw spring-boot:test-run. */
class DevelopmentApplication {

    public static void main(String[] arguments) {
        SpringApplication.from(OperatorApplication::main)
                .with(DevelopmentCluster.class)
                .run(arguments);
    }
}
