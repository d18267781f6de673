package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.test.spring.OperatorTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** A missing definition stops one controller and does not take the pod out of service. */
@OperatorTest(
        definitions = {},
        webEnvironment = WebEnvironment.RANDOM_PORT)
class ReadinessTests {

    @Value("${local.server.port}")
    private int port;

    @Test
    void readinessWhenADefinitionIsMissingIsUpAndSaysWhatIsMissing() {
        await("the controller waits for the definition")
                .atMost(Duration.ofSeconds(60))
                .until(() -> get("/actuator/health").body().contains("CustomResourceDefinition"));

        assertThat(get("/actuator/health/readiness").statusCode()).isEqualTo(200);
        assertThat(get("/actuator/health/liveness").statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> get(String path) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
