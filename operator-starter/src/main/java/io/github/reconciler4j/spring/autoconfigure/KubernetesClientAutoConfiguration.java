package io.github.reconciler4j.spring.autoconfigure;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.support.KubernetesJson;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * {@link AutoConfiguration Auto-configuration} of fabric8's client, for what the client of the framework does not offer: {@code exec},
 * logs, port forwarding and copies. It connects to the cluster of the operator with the same credentials. It is created when it is
 * injected.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        after = OperatorAutoConfiguration.class,
        afterName = "org.springframework.cloud.kubernetes.fabric8.Fabric8AutoConfiguration")
@ConditionalOnBean(Config.class)
public final class KubernetesClientAutoConfiguration {

    private static final String IMPLEMENTATION = "io.fabric8.kubernetes.client.impl.KubernetesClientImpl";

    @Bean(destroyMethod = "close")
    @Lazy
    @ConditionalOnMissingBean
    KubernetesClient reconciler4jKubernetesClient(Config config, ResourceLoader resources) {
        if (!ClassUtils.isPresent(IMPLEMENTATION, resources.getClassLoader())) {
            throw new OperatorConfigurationException(
                    "A bean injects a KubernetesClient, but its implementation is not on the class path.",
                    "Add the dependency io.fabric8:kubernetes-client to your build. (R4J-317)");
        }
        KubernetesSerialization json = new KubernetesSerialization(KubernetesJson.withKotlin(new ObjectMapper()), true);
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(json)
                .build();
    }
}
