package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import jakarta.annotation.PreDestroy;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ExitCodeExceptionMapper;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** An operator that fails once it runs, for a process of its own. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class FailingOperator {

    public static void main(String[] arguments) {
        SpringApplication.run(FailingOperator.class, arguments);
    }

    @Bean
    @Reconciler
    ObjectReconciler<ConfigMap> maps() {
        return (map, context) -> Result.done();
    }

    @Bean
    ApplicationRunner fails(Manager manager) {
        return arguments -> manager.fail("the press", new IllegalStateException("out of paper"));
    }

    @Bean
    @ConditionalOnProperty("mapped")
    ExitCodeExceptionMapper mapper() {
        return failure -> failure.getMessage().contains("out of paper") ? 42 : 0;
    }

    @PreDestroy
    void destroyed() {
        System.out.println("MARK beans destroyed");
    }
}
