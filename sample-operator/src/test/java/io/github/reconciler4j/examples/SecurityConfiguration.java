package io.github.reconciler4j.examples;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    @Bean
    SecurityFilterChain security(HttpSecurity http) {
        return http.authorizeHttpRequests(
                        requests -> requests.requestMatchers("/actuator/health/**", "/actuator/prometheus")
                                .permitAll() // Kubernetes' probes and Prometheus have no credentials
                                .requestMatchers("/actuator/**")
                                .hasRole("OPERATOR")
                                .anyRequest()
                                .authenticated())
                .httpBasic(Customizer.withDefaults())
                .build();
    }
}
