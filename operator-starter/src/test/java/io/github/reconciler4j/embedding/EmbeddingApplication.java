package io.github.reconciler4j.embedding;

import java.util.Arrays;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that runs an operator among other things, and continues when the operator fails. */
class EmbeddingApplication {

    public static void main(String[] arguments) throws Exception {
        Class<?> operator = Class.forName(arguments[0]);
        ConfigurableApplicationContext context =
                new SpringApplicationBuilder(operator).run(Arrays.copyOfRange(arguments, 1, arguments.length));
        while (context.isActive()) {
            Thread.onSpinWait();
        }
        System.out.println("MARK the rest continues");
        System.exit(7);
    }
}
