package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.objectset.ObjectSets;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of {@link ObjectSets}, for reconcilers that declare the children of an object.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = OperatorAutoConfiguration.class)
@ConditionalOnClass(ObjectSets.class)
@ConditionalOnBean(Manager.class)
public final class ObjectSetAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ObjectSets reconciler4jObjectSets(Manager manager) {
        return ObjectSets.create(manager);
    }
}
