package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.Resource;

class FlightRecordingEndpointTests {

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(FlightRecordingAutoConfiguration.class))
            .withPropertyValues("management.endpoints.web.exposure.include=*");

    @Test
    void endpointWhenNoAccessIsGrantedIsNotThere() {
        contextRunner.run(context -> assertThat(context).doesNotHaveBean(FlightRecordingEndpoint.class));
        contextRunner
                .withPropertyValues("management.endpoint.reconciler4jrecording.access=UNRESTRICTED")
                .run(context -> assertThat(context).hasSingleBean(FlightRecordingEndpoint.class));
    }

    @Test
    void recordingWhenStartedCanBeReadUntilItIsStopped(@TempDir Path folder) throws Exception {
        try (FlightRecordingEndpoint endpoint = new FlightRecordingEndpoint()) {
            assertThat(endpoint.read().getStatus()).isEqualTo(404);
            assertThat(endpoint.start(Duration.ofMinutes(5)).getStatus()).isEqualTo(200);
            assertThat(endpoint.start(null).getStatus()).isEqualTo(409);
            Resource content = endpoint.read().getBody();
            assertThat(content).isNotNull();
            Path file = folder.resolve("read.jfr");
            Files.write(file, content.getContentAsByteArray());
            assertThat(RecordingFile.readAllEvents(file)).isNotEmpty();
            endpoint.stop();
            assertThat(endpoint.read().getStatus()).isEqualTo(404);
        }
    }

    @Test
    void startWhenTheDurationIsNotValidIsRefused() {
        try (FlightRecordingEndpoint endpoint = new FlightRecordingEndpoint()) {
            assertThat(endpoint.start(Duration.ZERO).getStatus()).isEqualTo(400);
            assertThat(endpoint.start(Duration.ofHours(2)).getStatus()).isEqualTo(400);
        }
    }
}
