package io.github.reconciler4j.spring.autoconfigure;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * {@link AutoConfiguration Auto-configuration} of methods with {@link io.github.reconciler4j.spring.OnLeader @OnLeader}. If the
 * operator is disabled, they never run.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(Scheduled.class)
public final class OnLeaderAutoConfiguration {

    @Bean
    static OnLeaderMethods reconciler4jOnLeaderMethods(ConfigurableListableBeanFactory beans) {
        return new OnLeaderMethods(beans);
    }
}
