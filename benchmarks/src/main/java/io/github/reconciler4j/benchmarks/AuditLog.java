package io.github.reconciler4j.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts the requests of one process in the audit log of an API server. */
final class AuditLog {

    private final Path file;
    private final String userAgent;
    private final ObjectMapper mapper = new ObjectMapper();
    private int read;

    AuditLog(Path file, String userAgent) {
        this.file = file;
        this.userAgent = userAgent;
    }

    /**
     * Counts of requests.
     *
     * @param byVerb number of requests, and of failed ones where there are any
     * @param conflicts number of requests with the status 409
     * @param refused number of requests with the status 429
     */
    record Counts(long all, Map<String, Integer> byVerb, int conflicts, int refused) {}

    /** Count the requests since the last call. */
    Counts next() throws IOException {
        List<String> lines = Files.readAllLines(file);
        Map<String, Integer> byVerb = new TreeMap<>();
        int conflicts = 0;
        int refused = 0;
        for (String line : lines.subList(read, lines.size())) {
            JsonNode event = mapper.readTree(line);
            boolean isCounted = event.path("userAgent").asText().startsWith(userAgent)
                    && (event.path("stage").asText().equals("ResponseComplete")
                            || event.path("verb").asText().equals("watch"));
            if (isCounted) {
                byVerb.merge(event.path("verb").asText() + " " + resource(event.path("objectRef")), 1, Integer::sum);
                int code = event.at("/responseStatus/code").asInt();
                conflicts += code == 409 ? 1 : 0;
                refused += code == 429 ? 1 : 0;
            }
        }
        read = lines.size();
        return new Counts(byVerb.values().stream().mapToInt(Integer::intValue).sum(), byVerb, conflicts, refused);
    }

    private static String resource(JsonNode object) {
        String subresource = object.path("subresource").asText();
        return object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource);
    }
}
