package io.github.reconciler4j.examples;

import io.github.reconciler4j.spring.observation.ApiRequestObservationConvention;
import io.github.reconciler4j.spring.observation.DefaultApiRequestObservationConvention;
import io.github.reconciler4j.spring.observation.DefaultReconcileObservationConvention;
import io.github.reconciler4j.spring.observation.ReconcileObservationContext;
import io.github.reconciler4j.spring.observation.ReconcileObservationConvention;
import io.micrometer.common.KeyValues;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Other names and keys of observations. */
@Configuration(proxyBeanMethods = false)
class ObservationKeys {

    @Bean
    ReconcileObservationConvention reconciliations() {
        return new DefaultReconcileObservationConvention() {
            @Override
            public KeyValues getLowCardinalityKeyValues(ReconcileObservationContext context) {
                return super.getLowCardinalityKeyValues(context).and("team", "shop");
            }
        };
    }

    @Bean
    ApiRequestObservationConvention requests() {
        return new DefaultApiRequestObservationConvention() {
            @Override
            public String getName() {
                return "shop.api.requests";
            }
        };
    }
}
