package io.github.reconciler4j.test.server.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;

/** What keeps pods: how it updates them, and when it starts. */
final class KeeperRules {
    private static final int FIELDS = 5;
    private static final int MAX_CRON_NAME = 52;

    private KeeperRules() {}

    static void statefulSet(JsonNode spec, FieldRules rules) {
        JsonNode order = spec.path("podManagementPolicy");
        if (!List.of("OrderedReady", "Parallel").contains(order.asText())) {
            rules.invalid("spec.podManagementPolicy", order, "must be 'OrderedReady' or 'Parallel'");
        }
        String type = spec.path("updateStrategy").path("type").asText();
        if (!List.of("RollingUpdate", "OnDelete").contains(type)) {
            rules.add(new FieldError(
                    "spec.updateStrategy",
                    "FieldValueInvalid",
                    "Invalid value: {\"Type\":" + FieldError.quoted(type)
                            + ",\"RollingUpdate\":null}: must be 'RollingUpdate' or 'OnDelete'"));
        }
        rules.notNegative(
                "spec.updateStrategy.rollingUpdate.partition",
                spec.path("updateStrategy").path("rollingUpdate").path("partition"));
        JsonNode retention = spec.path("persistentVolumeClaimRetentionPolicy");
        for (String when : List.of("whenDeleted", "whenScaled")) {
            rules.oneOf("spec.persistentVolumeClaimRetentionPolicy." + when, retention.path(when), "Retain", "Delete");
        }
        rules.notNegative("spec.ordinals.start", spec.path("ordinals").path("start"));
        rules.label("spec.serviceName", spec.path("serviceName"));
    }

    static void daemonSet(JsonNode spec, FieldRules rules) {
        String type = spec.path("updateStrategy").path("type").asText();
        if (!List.of("RollingUpdate", "OnDelete").contains(type)) {
            rules.add(new FieldError(
                    "spec.updateStrategy",
                    "FieldValueNotSupported",
                    "Unsupported value: {\"Type\":" + FieldError.quoted(type)
                            + ",\"RollingUpdate\":null}: supported values: \"RollingUpdate\", \"OnDelete\""));
        }
    }

    static void deployment(JsonNode spec, FieldRules rules) {
        JsonNode deadline = spec.path("progressDeadlineSeconds");
        if (deadline.isNumber()
                && deadline.asLong() <= spec.path("minReadySeconds").asLong()) {
            rules.invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds");
        }
        JsonNode rolling = spec.path("strategy").path("rollingUpdate");
        String at = "spec.strategy.rollingUpdate.";
        JsonNode surge = rolling.path("maxSurge");
        if (!surge.asText().matches("[0-9]+%")) {
            rules.share(at + "maxSurge", surge);
        }
        rules.share(at + "maxUnavailable", rolling.path("maxUnavailable"));
    }

    static void cronJob(JsonNode object, FieldRules rules) {
        JsonNode spec = object.path("spec");
        JsonNode schedule = spec.path("schedule");
        String text = schedule.asText();
        String[] fields = text.trim().split("\\s+");
        if (text.contains("TZ")) {
            rules.invalid(
                    "spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        } else if (!text.isEmpty() && !text.startsWith("@") && fields.length != FIELDS) {
            rules.invalid(
                    "spec.schedule",
                    schedule,
                    "expected exactly 5 fields, found " + fields.length + ": [" + String.join(" ", fields) + "]");
        }
        JsonNode zone = spec.path("timeZone");
        if (FieldRules.isSet(zone) && !isZone(zone.asText())) {
            rules.invalid("spec.timeZone", zone, "unknown time zone " + zone.asText());
        }
        JsonNode name = object.path("metadata").path("name");
        if (name.asText().length() > MAX_CRON_NAME) {
            rules.invalid("metadata.name", name, "must be no more than " + MAX_CRON_NAME + " characters");
        }
    }

    private static boolean isZone(String name) {
        try {
            return ZoneId.of(name) != null;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
