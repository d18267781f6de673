package io.github.reconciler4j.webhook;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.webhook.internal.AdmissionEndpoint;
import io.github.reconciler4j.webhook.internal.ConversionEndpoint;
import io.github.reconciler4j.webhook.internal.Endpoint;
import io.github.reconciler4j.webhook.internal.KindConversion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The webhooks of an operator.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * return Webhooks.builder()
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class Webhooks {

    private final List<AdmissionWebhook> admission;
    private final List<ConvertedKind> conversions;
    private final Map<String, Endpoint> endpoints;

    private Webhooks(Builder builder) {
        admission = List.copyOf(builder.admission);
        conversions = builder.conversions.values().stream()
                .map(kind -> new ConvertedKind(Scheme.describe(kind.hubType()), kind.spokeVersions()))
                .toList();
        endpoints = new LinkedHashMap<>(builder.endpoints);
        if (!conversions.isEmpty()) {
            Endpoint conversion = new ConversionEndpoint(List.copyOf(builder.conversions.values()));
            endpoints.put(conversion.path(), conversion);
        }
    }

    /** Return a builder without webhooks. */
    public static Builder builder() {
        return new Builder();
    }

    /** Return the admission webhooks, in the order of registration. */
    public List<AdmissionWebhook> admission() {
        return admission;
    }

    /** Return the admission webhooks of a type, in the order of registration. */
    public List<AdmissionWebhook> admission(AdmissionWebhook.Type type) {
        return admission.stream().filter(webhook -> webhook.type() == type).toList();
    }

    /** Return the kinds with converters. */
    public List<ConvertedKind> conversions() {
        return conversions;
    }

    /** Return whether there are no webhooks. */
    public boolean isEmpty() {
        return endpoints.isEmpty();
    }

    Collection<Endpoint> endpoints() {
        return endpoints.values();
    }

    /**
     * A kind with converters. Immutable.
     *
     * @param hub the kind in the version of the hub
     * @param spokes the versions of the spokes
     * @since 0.1.0
     */
    public record ConvertedKind(KindInfo hub, Set<String> spokes) {

        /** Copy the versions. */
        public ConvertedKind {
            spokes = Set.copyOf(new TreeSet<>(spokes));
        }

        /** Return the name of the custom resource definition. */
        public String definition() {
            return hub.resource();
        }
    }

    /**
     * Collects webhooks. Not thread-safe.
     *
     * @since 0.1.0
     */
    public static final class Builder {

        private final List<AdmissionWebhook> admission = new ArrayList<>();
        private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        private final Map<String, KindConversion<?>> conversions = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Add a validator.
         *
         * @param type the class of the objects; if it does not declare its kind, the options of the validator do
         * @throws io.github.reconciler4j.scheme.UnknownKindException if the kind is unknown
         * @throws IllegalArgumentException if there is a validator with the same kind and name
         */
        public <T extends HasMetadata> Builder validator(Class<T> type, Validator<T> validator) {
            WebhookOptions options = validator.options();
            Set<Operation> operations = EnumSet.of(Operation.CREATE, Operation.UPDATE);
            if (validatesDeletions(validator)) {
                operations.add(Operation.DELETE);
            }
            AdmissionWebhook webhook = add(AdmissionWebhook.Type.VALIDATING, type, options, operations);
            endpoints.put(
                    webhook.path(), AdmissionEndpoint.validating(webhook.path(), type, webhook.kind(), validator));
            return this;
        }

        /**
         * Add a defaulter.
         *
         * @param type the class of the objects; if it does not declare its kind, the options of the defaulter do
         * @throws io.github.reconciler4j.scheme.UnknownKindException if the kind is unknown
         * @throws IllegalArgumentException if there is a defaulter with the same kind and name
         */
        public <T extends HasMetadata> Builder defaulter(Class<T> type, Defaulter<T> defaulter) {
            Set<Operation> operations = EnumSet.of(Operation.CREATE, Operation.UPDATE);
            AdmissionWebhook webhook = add(AdmissionWebhook.Type.MUTATING, type, defaulter.options(), operations);
            endpoints.put(webhook.path(), AdmissionEndpoint.mutating(webhook.path(), type, webhook.kind(), defaulter));
            return this;
        }

        /**
         * Add a converter.
         *
         * @param hub the class of the hub
         * @param spoke the class of the spoke
         * @throws io.github.reconciler4j.scheme.UnknownKindException if a class does not declare its kind
         * @throws IllegalArgumentException if the classes are not two versions of a kind, if the kind has another hub, or if
         *     the spoke has a converter
         */
        public <H extends HasMetadata, S extends HasMetadata> Builder converter(
                Class<H> hub, Class<S> spoke, Converter<H, S> converter) {
            KindInfo kind = Scheme.describe(hub);
            KindConversion<?> known =
                    conversions.computeIfAbsent(kind.resource(), resource -> new KindConversion<>(kind.kind(), hub));
            if (known.hubType() != hub) {
                throw new IllegalArgumentException("The kind " + kind.resource() + " has two hubs, "
                        + known.hubType().getName() + " and " + hub.getName()
                        + ": convert all versions to one of them");
            }
            @SuppressWarnings("unchecked")
            KindConversion<H> conversion = (KindConversion<H>) known;
            conversion.add(Scheme.describe(spoke).kind(), spoke, converter);
            return this;
        }

        /** Create the webhooks. */
        public Webhooks build() {
            return new Webhooks(this);
        }

        private AdmissionWebhook add(
                AdmissionWebhook.Type type,
                Class<? extends HasMetadata> objects,
                WebhookOptions options,
                Set<Operation> operations) {
            KindInfo kind = options.kind().orElseGet(() -> Scheme.describe(objects));
            AdmissionWebhook webhook = new AdmissionWebhook(
                    type, kind, options.operations().isEmpty() ? operations : options.operations(), options);
            if (endpoints.containsKey(webhook.path())) {
                throw new IllegalArgumentException("There are two webhooks at " + webhook.path()
                        + ": give one of them a name with WebhookOptions.withName");
            }
            admission.add(webhook);
            return webhook;
        }

        private static boolean validatesDeletions(Validator<?> validator) {
            return Arrays.stream(validator.getClass().getMethods())
                    .anyMatch(method ->
                            method.getName().equals("validateDelete") && method.getDeclaringClass() != Validator.class);
        }
    }
}
