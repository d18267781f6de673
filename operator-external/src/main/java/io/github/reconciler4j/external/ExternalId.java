package io.github.reconciler4j.external;

/**
 * How the external resource of an owner is called. Immutable.
 *
 * @param key the key that no other resource has, the same for all processes and for the whole life of the owner: the name of the
 *     resource, the uid of the owner and, if there is one, the variant, with {@code -} in between. At most 78 characters of
 *     {@code a-z}, {@code 0-9} and {@code -}, 57 without a variant. Use it as the name of the resource, as its idempotency key, or as a
 *     tag
 * @param id the id that the provider gave the resource; empty until it is known
 * @param variant the variant that the resource was created as; empty without one
 * @since 0.1.0
 */
public record ExternalId(String key, String id, String variant) {

    /** Return whether the id is known from the provider. */
    public boolean isKnown() {
        return !id.isEmpty();
    }
}
