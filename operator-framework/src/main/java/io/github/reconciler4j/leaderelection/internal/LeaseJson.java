package io.github.reconciler4j.leaderelection.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/**
 * Reads and writes a {@link LeaseRecord} as the spec of a Lease object.
 *
 * @since 0.1.0
 */
public final class LeaseJson {

    /** The kind Lease. */
    public static final KindInfo KIND =
            new KindInfo(new KindName("coordination.k8s.io", "v1", "Lease"), "leases", true);

    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private LeaseJson() {}

    /** Write a record into the spec of a Lease. Other fields of the object stay as they are. */
    public static void write(LeaseRecord record, ObjectNode lease) {
        ObjectNode spec = lease.withObjectProperty("spec");
        spec.put("holderIdentity", record.holder());
        spec.put("leaseDurationSeconds", record.seconds());
        spec.put("acquireTime", MICRO_TIME.format(record.acquireTime()));
        spec.put("renewTime", MICRO_TIME.format(record.renewTime()));
        spec.put("leaseTransitions", record.term().transitions());
    }

    /**
     * Read the record from the spec of a Lease.
     *
     * @throws IllegalArgumentException if the spec has a time or a number that cannot be read; the message has no value of it
     */
    public static LeaseRecord read(JsonNode lease) {
        JsonNode spec = lease.path("spec");
        try {
            return new LeaseRecord(
                    spec.path("holderIdentity").asText(""),
                    new LeaseRecord.Term(
                            number(spec.path("leaseDurationSeconds")), number(spec.path("leaseTransitions"))),
                    time(spec.path("acquireTime")),
                    time(spec.path("renewTime")));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(e.getClass().getSimpleName(), e);
        }
    }

    private static int number(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return 0;
        }
        if (!node.isIntegralNumber() || !node.canConvertToInt() || node.asInt() < 0) {
            throw new IllegalArgumentException("its spec contains a number that is out of range");
        }
        return node.asInt();
    }

    private static Instant time(JsonNode node) {
        String text = node.asText("");
        return text.isEmpty() ? Instant.EPOCH : Instant.from(DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text));
    }
}
