package ${package};

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Runs the operator. */
@SpringBootApplication
public class OperatorApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(OperatorApplication.class, arguments);
    }
}
