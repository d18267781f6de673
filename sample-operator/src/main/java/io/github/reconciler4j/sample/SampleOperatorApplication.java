package io.github.reconciler4j.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Runs the sample operator. */
@SpringBootApplication
public class SampleOperatorApplication {

    /** Starts the application; settings as for any Spring Boot application. */
    public static void main(String[] arguments) {
        SpringApplication.run(SampleOperatorApplication.class, arguments);
    }
}
