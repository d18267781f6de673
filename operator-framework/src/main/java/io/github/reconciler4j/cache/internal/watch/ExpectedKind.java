package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.json.ItemReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
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

    /**
     * Check that the API server serves the kind as its class says: once, and again when the kind was {@link #missing}.
     *
     * @param beforeRequest is called before the API server is asked
     */
    void checkServed(Runnable beforeRequest) {
        if (served) {
            return;
        }
        beforeRequest.run();
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
        KindName own = info.kind();
        return discovery.find(new KindName(own.group(), own.version(), name)).isPresent();
    }

    /** Return why an object cannot be one of the kind; empty if it can. Items of lists of built-in kinds do not name their kind. */
    String problem(ItemReader item, MutableHeader header) {
        if (item.hasKind() && !item.isKind(kind) && !item.isKind(METADATA)) {
            return "an object that is not a " + info.kind().kind();
        }
        return header.name().isBlank() ? "an object without a name" : "";
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
