package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.json.ItemReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import java.io.StreamCorruptedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a response is about one kind. A proxy, a gateway or a confused server can answer anything with status 200;
 * everything that is not recognizably a list or an object of the kind must be an error, because an empty list means that every
 * object was deleted. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ExpectedKind {

    private static final Logger LOG = LoggerFactory.getLogger(ExpectedKind.class);
    private static final String METADATA_VERSION = "meta.k8s.io/v1";
    private static final String METADATA_LIST = "PartialObjectMetadataList";
    private static final byte[] METADATA = ItemReader.quoted("PartialObjectMetadata");
    private static final String LIST = "List";

    private final KindInfo info;
    private final Discovery discovery;
    private final byte[] kind;
    private volatile boolean served;

    /** Create a check for a kind; the discovery resolves unusual names of lists. */
    public ExpectedKind(KindInfo info, Discovery discovery) {
        this.info = info;
        this.discovery = discovery;
        this.kind = ItemReader.quoted(info.kind().kind());
    }

    /** Check that the API server serves the kind as its class says: once, and again when the kind was {@link #missing}. */
    void checkServed() {
        if (served) {
            return;
        }
        try {
            discovery.check(info);
            served = true;
        } catch (KindNotServedException | KindMismatchException e) {
            throw e;
        } catch (ApiException e) { // a server that cannot be asked says so in response to the list
            LOG.debug("Cannot determine whether the API server serves {}: {}", info.resource(), e.getMessage());
        }
    }

    /** Record that the API server does not serve the kind any more. */
    void missing() {
        if (served) {
            served = false;
            discovery.forget();
        }
    }

    /**
     * Check the type of a list.
     *
     * @throws StreamCorruptedException if it is no list of the kind
     */
    void checkList(String apiVersion, String listKind) throws StreamCorruptedException {
        boolean metadata = listKind.equals(METADATA_LIST) && apiVersion.equals(METADATA_VERSION);
        boolean own = listKind.equals(info.kind().kind() + LIST)
                && apiVersion.equals(info.kind().apiVersion());
        if (!metadata && !own && !isCustomName(apiVersion, listKind)) {
            throw notAList("its kind is '" + shown(listKind) + "' in '" + shown(apiVersion) + "'");
        }
    }

    /**
     * A CustomResourceDefinition can name its list as it likes, and only the definition says how. A name that belongs to
     * no other kind of the group is taken for that.
     */
    private boolean isCustomName(String apiVersion, String listKind) {
        if (!listKind.matches("[A-Za-z0-9]+")
                || !apiVersion.equals(info.kind().apiVersion())
                || !info.kind().group().contains(".")) {
            return false;
        }
        String item = listKind.endsWith(LIST) ? listKind.substring(0, listKind.length() - LIST.length()) : "";
        return !isServed(listKind) && (item.isEmpty() || !isServed(item));
    }

    private boolean isServed(String name) {
        GroupVersionKind own = info.kind();
        return discovery
                .find(new GroupVersionKind(own.group(), own.version(), name))
                .isPresent();
    }

    /**
     * Check an object. Items of lists of built-in kinds do not name their kind.
     *
     * @throws StreamCorruptedException if it is of another kind or has no name
     */
    void checkObject(ItemReader item, MutableHeader header) throws StreamCorruptedException {
        if (item.hasKind() && !item.isKind(kind) && !item.isKind(METADATA)) {
            throw new StreamCorruptedException("the response contains an object that is not a "
                    + info.kind().kind());
        }
        if (header.name().isBlank()) {
            throw new StreamCorruptedException("the response contains an object without a name");
        }
    }

    /** Return the exception for a response that is no list of the kind. */
    StreamCorruptedException notAList(String why) {
        return new StreamCorruptedException(
                "the response is not a list of " + info.kind().kind() + ": " + why);
    }

    /** A response can contain anything, so only what looks like a name is shown. */
    private static String shown(String name) {
        return name.matches("[A-Za-z0-9./-]{0,80}") ? name : "?";
    }
}
