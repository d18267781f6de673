package io.github.reconciler4j.benchmarks.peer;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
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
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;

/** The works with this framework in a Spring Boot application. The profile is the work. */
@SpringBootApplication(proxyBeanMethods = false)
public class SpringReconcilerPeer {

    /** Run it. */
    public static void main(String[] arguments) {
        Work work = Work.of(arguments);
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("reconciler4j.all-controllers.max-concurrent-reconciles", work.workers());
        SpringApplication application = new SpringApplication(SpringReconcilerPeer.class);
        application.setAdditionalProfiles(arguments[0]);
        application.setDefaultProperties(properties);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("work", work));
        application.run();
    }

    /** Caches, and reconciles nothing. */
    @Bean
    @Profile("cache")
    static Caching caching(Work work, Cache cache) {
        return new Caching(work, cache);
    }

    /** The controller of the works without writes. */
    @Bean
    @Profile({"start", "drain", "reconcile", "events"})
    @Reconciler
    static ObjectReconciler<WebApp> reading(Work work) {
        return (app, context) -> ReconcilerPeer.reconciled(work, app);
    }

    /** The controller that writes. */
    @Bean
    @Profile("converge")
    @Reconciler(owns = ConfigMap.class)
    static ObjectReconciler<WebApp> converging(Work work, Client client) {
        Convergence convergence = new Convergence(client);
        return (app, context) -> {
            convergence.converge(app);
            return ReconcilerPeer.reconciled(work, app);
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
            cache.informer(ReconcilerPeer.cached(work));
        }

        @EventListener(ApplicationReadyEvent.class)
        void awaitSync() throws InterruptedException {
            cache.awaitSync(Duration.ofMinutes(5));
            work.synced();
        }
    }
}
