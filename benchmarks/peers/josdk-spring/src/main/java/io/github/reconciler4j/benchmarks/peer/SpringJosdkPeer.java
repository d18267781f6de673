package io.github.reconciler4j.benchmarks.peer;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/**
 * The works with the Java Operator SDK in a Spring Boot application. The beans are those that its starter makes: the release
 * of the starter for this Spring Boot is not available here. It starts the operator when the application is ready.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class SpringJosdkPeer {

    /** Run it. */
    public static void main(String[] arguments) {
        Work work = Work.of(arguments);
        SpringApplication application = new SpringApplication(SpringJosdkPeer.class);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("work", work));
        application.run();
    }

    /** The client. */
    @Bean
    static KubernetesClient kubernetesClient() {
        return new KubernetesClientBuilder().build();
    }

    /** The reconciler. */
    @Bean
    static Reconciler<?> reconciler(Work work) {
        return JosdkPeer.reconciler(work);
    }

    /** The operator, which is started later. */
    @Bean(destroyMethod = "stop")
    static Operator operator(KubernetesClient client, Reconciler<?> reconciler, Work work) {
        Operator operator = new Operator(configuration ->
                configuration.withKubernetesClient(client).withConcurrentReconciliationThreads(work.workers()));
        operator.register(reconciler);
        return operator;
    }

    /** What starts the operator. */
    @Bean
    static Starter starter(Operator operator, Work work) {
        return new Starter(operator, work);
    }

    record Starter(Operator operator, Work work) {

        @EventListener(ApplicationReadyEvent.class)
        void start() {
            operator.start();
            work.synced();
        }
    }
}
