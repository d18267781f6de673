package io.github.reconciler4j.webhook;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Converts objects of one kind between two of its versions: the hub, which all versions are converted through, and a spoke.
 * A kind has one hub and any number of spokes.
 *
 * <p>A converter handles what the versions have besides metadata. Metadata is taken over from the object that is converted.
 * What the target version cannot express is kept in the annotation {@value #DATA_ANNOTATION} and restored on the way back, so
 * that a conversion to another version and back loses nothing. For this purpose the methods are also called to convert
 * results back, so they must depend on their argument alone.
 *
 * <p>Implementations must be thread-safe and fast. The API server calls them for every object of a list that is stored in
 * another version than requested.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * static final class PageConverter implements Converter<Page, OldPage> {
 *
 *     @Override
 *     public Page toHub(OldPage old) {
 *         Page page = new Page();
 *         page.setSpec(String.join("\n", old.getSpec()));
 *         return page;
 *     }
 *
 *     @Override
 *     public OldPage fromHub(Page page) {
 *         OldPage old = new OldPage();
 *         old.setSpec(page.getSpec().lines().toList());
 *         return old;
 *     }
 * }
 * }</pre>
 *
 * @param <H> the class of the hub
 * @param <S> the class of the spoke
 * @since 0.1.0
 */
public interface Converter<H extends HasMetadata, S extends HasMetadata> {

    /** The annotation that keeps what the version of an object cannot express. */
    String DATA_ANNOTATION = "reconciler4j.io/conversion-data";

    /**
     * Convert an object to the hub.
     *
     * @return a new object; its metadata is ignored
     * @throws Exception if the object cannot be converted; users see the message
     */
    H toHub(S spoke) throws Exception;

    /**
     * Convert an object from the hub.
     *
     * @return a new object; its metadata is ignored
     * @throws Exception if the object cannot be converted; users see the message
     */
    S fromHub(H hub) throws Exception;
}
