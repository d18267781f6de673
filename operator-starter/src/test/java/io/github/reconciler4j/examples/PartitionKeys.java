package io.github.reconciler4j.examples;

import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.spring.autoconfigure.ManagerOptionsCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Keys that need a function. */
@Configuration(proxyBeanMethods = false)
public class PartitionKeys {

    static final Kind<?> PODS = Kind.of("v1", "Pod");

    @Bean
    ManagerOptionsCustomizer shardsOfPods() {
        PartitionKey root = PartitionKey.uidOf(pod -> pod.labels().getOrDefault("example.com/app-uid", pod.uid()))
                .withId("app-uid");
        return options -> options.withCache(
                options.cache().withKind(PODS, options.cache().of(PODS).withPartitionKey(root)));
    }
}
