package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Which endpoints a browser can reach: none by default, and each only if it is named itself. */
class ConsoleExposureTests {

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    EndpointAutoConfiguration.class,
                    OperatorAutoConfiguration.class,
                    OperatorEndpointAutoConfiguration.class,
                    OperatorConsoleAutoConfiguration.class,
                    FlightRecordingAutoConfiguration.class))
            .withBean(
                    Config.class,
                    () -> new ConfigBuilder(Config.empty())
                            .withMasterUrl("http://127.0.0.1:1")
                            .build())
            .withPropertyValues("spring.application.name=shop", "reconciler4j.auto-startup=false");

    private static Set<String> exposed(ApplicationContext context) {
        return context.getBeansWithAnnotation(Endpoint.class).keySet().stream()
                .map(name -> AnnotatedElementUtils.getMergedAnnotation(context.getType(name), Endpoint.class)
                        .id())
                .collect(Collectors.toSet());
    }

    @Test
    void endpointsAreClosedByDefault() {
        contextRunner.run(context -> assertThat(exposed(context)).isEmpty());
    }

    static Stream<Map.Entry<String, List<String>>> exposures() {
        return Stream.of(
                Map.entry("health", List.of()),
                Map.entry("reconciler4j", List.of("reconciler4j")),
                // The page without its data shows nothing, and does not open the data.
                Map.entry("reconciler4jconsole", List.of()),
                Map.entry("reconciler4j,reconciler4jconsole", List.of("reconciler4j", "reconciler4jconsole")),
                Map.entry("reconciler4jrecording", List.of()));
    }

    @ParameterizedTest
    @MethodSource("exposures")
    void exposureOfAnEndpointOpensNoOther(Map.Entry<String, List<String>> exposure) {
        contextRunner
                .withPropertyValues("management.endpoints.web.exposure.include=" + exposure.getKey())
                .run(context -> assertThat(exposed(context)).containsExactlyInAnyOrderElementsOf(exposure.getValue()));
    }

    @Test
    void assetWhenItsNameIsNotThatOfAFileOfThePageIsNotFound() {
        OperatorConsoleEndpoint endpoint = new OperatorConsoleEndpoint((id, access) -> access);
        Stream.of("console.html", "../console.js", "OperatorEndpoint.class", "", "/etc/passwd")
                .forEach(name ->
                        assertThat(endpoint.asset(name).getStatus()).as(name).isEqualTo(404));
        OperatorConsoleEndpoint.FILES
                .keySet()
                .forEach(name ->
                        assertThat(endpoint.asset(name).getBody()).as(name).isNotBlank());
    }

    @Test
    void pageLoadsOnlyItsOwnFilesAndNamesAllOfThem() {
        OperatorConsoleEndpoint endpoint = new OperatorConsoleEndpoint((id, access) -> access);
        StringBuilder all = new StringBuilder(endpoint.page());
        OperatorConsoleEndpoint.FILES
                .keySet()
                .forEach(name -> all.append(endpoint.asset(name).getBody()));
        assertThat(all.toString())
                .contains("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
                .doesNotContain("http://", "https://", "innerHTML", "insertAdjacentHTML", "eval(", "unsafe-inline");
        OperatorConsoleEndpoint.FILES
                .keySet()
                .forEach(name ->
                        assertThat(all.toString()).containsAnyOf("reconciler4jconsole/" + name, "'./" + name + "'"));
    }
}
