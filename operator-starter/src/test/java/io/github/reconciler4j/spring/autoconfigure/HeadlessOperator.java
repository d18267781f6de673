package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import jakarta.annotation.PreDestroy;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** An operator without a web server, for a process of its own; reports events on standard output. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class HeadlessOperator {

    /** How long the reconcile of an object named {@code slow} takes once the operator is stopping. */
    private static final long SLOW_MILLIS = 1000;

    private final CountDownLatch refusing = new CountDownLatch(1);

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(HeadlessOperator.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.run(arguments);
        say("main has returned");
    }

    @Bean
    @Reconciler(name = "maps", value = ConfigMap.class)
    RequestReconciler<Request> maps() {
        return (request, context) -> {
            if (request.name().equals("slow")) {
                say("slow started");
                refusing.await();
                Thread.sleep(SLOW_MILLIS);
                say("slow finished");
            } else if (request.name().equals("endless")) {
                say("endless started");
                new CountDownLatch(1).await();
            } else {
                say("reconciled " + request.name());
            }
            return Result.done();
        };
    }

    @EventListener
    void availability(AvailabilityChangeEvent<?> event) {
        say("state " + event.getState());
        if (event.getState() == ReadinessState.REFUSING_TRAFFIC) {
            refusing.countDown();
        }
    }

    @PreDestroy
    void destroyed() {
        say("beans destroyed");
    }

    private static void say(String what) {
        System.out.println("MARK " + what);
    }
}
