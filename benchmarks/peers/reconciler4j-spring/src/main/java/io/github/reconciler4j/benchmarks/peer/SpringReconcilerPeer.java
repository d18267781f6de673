package io.github.reconciler4j.benchmarks.peer;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.spring.Reconciler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.event.EventListener;

/**
 * The works with this framework in a Spring Boot application. It has the same beans for all works, so that Spring can process it
 * ahead of time.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class SpringReconcilerPeer {

    private static final String NAME = "webapp";

    /** Run it. */
    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(SpringReconcilerPeer.class);
        if (!Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
            prepare(application, Work.of(arguments));
        }
        application.run(); // there is nothing to measure while Spring processes it
    }

    private static void prepare(SpringApplication application, Work work) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("reconciler4j.all-controllers.max-concurrent-reconciles", work.workers());
        properties.put("reconciler4j.controllers." + NAME + ".enabled", work.kind() != Work.Kind.CACHE);
        application.setDefaultProperties(properties);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("work", work));
    }

    /** Caches, and reconciles nothing. */
    @Bean
    static Caching caching(Work work, Cache cache) {
        return new Caching(work, cache);
    }

    /** The controller. */
    @Bean
    @Reconciler(name = NAME)
    static ObjectReconciler<WebApp> reconciler(Work work, Client client) {
        return ReconcilerPeer.reconciler(work, client);
    }

    /** The other controllers, in works with several. */
    @Bean
    static InitializingBean others(Work work, Manager manager) {
        return () -> {
            for (int number = 2; number <= work.controllers(); number++) {
                ReconcilerPeer.control(work, manager, number);
            }
        };
    }

    /** Owned objects, in the works that write. */
    @Bean
    static ControllerCustomizer<ControllerBuilder<WebApp>> configurer(Work work) {
        return controller -> {
            if (work.isWithConfigMaps()) {
                controller.owns(ConfigMap.class);
            }
        };
    }

    /** Caches the objects of one kind. */
    static final class Caching implements InitializingBean {

        private final Work work;
        private final Cache cache;

        Caching(Work work, Cache cache) {
            this.work = work;
            this.cache = cache;
        }

        @Override
        public void afterPropertiesSet() {
            if (work.kind() == Work.Kind.CACHE) {
                cache.informer(ReconcilerPeer.cached(work));
            }
        }

        @EventListener(ApplicationReadyEvent.class)
        void awaitSync() throws InterruptedException {
            if (work.kind() == Work.Kind.CACHE) {
                cache.awaitSync(Duration.ofMinutes(5));
                work.synced();
            }
        }
    }
}
