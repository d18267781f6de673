package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Requests that belong together. It works in a namespace of its own, so that all can run beside each other.
 *
 * @param topic the name of its file
 * @param name what it is about
 * @param namespace its namespace, {@code $ns} in its steps; also fit as a unique part of other names
 * @param steps what to do, in order
 */
record Transcript(String topic, String name, String namespace, List<Step> steps) {
    /** As in version 1.2 of YAML: {@code yes}, {@code n} and other words are texts. */
    private static final YAMLMapper YAML = new YAMLMapper(YAMLFactory.builder()
            .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
            .build());

    private static final String FOLDER = "transcripts";

    /** All transcripts, in the order of files and lines. */
    static List<Transcript> all() {
        URL folder = Objects.requireNonNull(Transcript.class.getResource(FOLDER), FOLDER);
        try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
            List<Transcript> transcripts = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                transcripts.addAll(read(file));
            }
            return transcripts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Transcript> read(Path file) throws IOException {
        String topic = file.getFileName().toString().replace(".yaml", "");
        List<Transcript> transcripts = new ArrayList<>();
        for (var entry : YAML.readTree(file.toFile()).properties()) {
            List<Step> steps = new ArrayList<>();
            for (JsonNode step : entry.getValue()) {
                steps.add(Step.of(step));
            }
            String namespace = "d-" + topic + "-" + transcripts.size();
            transcripts.add(new Transcript(topic, entry.getKey(), namespace, steps));
        }
        return transcripts;
    }

    /** Whether anything happens in its namespace. */
    boolean usesNamespace() {
        return steps.stream().anyMatch(step -> step.options().toString().matches(".*(/namespaces/\\$ns|\\$maps).*"));
    }

    /** How known differences name it. */
    String id() {
        return topic + "/" + name;
    }
}
