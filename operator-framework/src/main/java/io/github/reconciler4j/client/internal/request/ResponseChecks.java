package io.github.reconciler4j.client.internal.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;

/**
 * Checks whether responses are what was requested. Proxies and maintenance pages answer with anything, also with a code of
 * success.
 *
 * @since 0.1.0
 */
public final class ResponseChecks {

    private static final String LIST = "List";
    private static final String PARTIAL_LIST = "PartialObjectMetadataList";
    private static final String STATUS = "Status";

    private ResponseChecks() {}

    /**
     * Check that a response is a list of the kind. Anything else, taken for an empty list, would mean that no object exists.
     *
     * @throws UnexpectedResponseException if it is not
     */
    public static void checkList(ClientCore core, JsonNode list, ClientCall call) {
        KindInfo kind = call.kind();
        String listKind = list.path("kind").asText("");
        String apiVersion = list.path("apiVersion").asText("");
        boolean isOwn = apiVersion.equals(kind.kind().apiVersion())
                && (listKind.equals(kind.kind().kind() + LIST) || isCustomName(core, kind, listKind));
        if (!isOwn && !(call.request().accept().contains(PARTIAL_LIST) && listKind.equals(PARTIAL_LIST))) {
            throw ObjectCodec.unexpected(call, "is not a list of " + kind.kind().kind());
        }
        JsonNode items = list.path("items");
        boolean hasItems = items.isArray() || items.isNull(); // Go writes an empty list as null
        if (!hasItems
                || list.path("metadata").path("resourceVersion").asText("").isEmpty()) {
            throw ObjectCodec.unexpected(call, "is a list without items or resourceVersion");
        }
        for (JsonNode item : items) {
            checkItem(item, listKind, call);
        }
    }

    private static void checkItem(JsonNode item, String listKind, ClientCall call) {
        String kind = call.kind().kind().kind();
        String itemKind = item.path("kind").asText(kind);
        if (!itemKind.equals(kind) && !listKind.equals(PARTIAL_LIST)) {
            throw ObjectCodec.unexpected(call, "contains an item that is not a " + kind);
        }
        if (!item.path("metadata").path("name").isTextual()) {
            throw ObjectCodec.unexpected(call, "contains an item without a name");
        }
    }

    /**
     * A CustomResourceDefinition can name its list as it likes, and only the definition says how. A name that belongs to no
     * other kind of the group is accepted.
     */
    private static boolean isCustomName(ClientCore core, KindInfo kind, String listKind) {
        if (!kind.kind().group().contains(".") || !listKind.matches("[A-Za-z0-9]+")) {
            return false;
        }
        String item = listKind.endsWith(LIST) ? listKind.substring(0, listKind.length() - LIST.length()) : "";
        return !isServed(core, kind, listKind) && (item.isEmpty() || !isServed(core, kind, item));
    }

    private static boolean isServed(ClientCore core, KindInfo kind, String name) {
        KindName own = kind.kind();
        return core.discovery()
                .find(new KindName(own.group(), own.version(), name))
                .isPresent();
    }

    /**
     * Return whether a response to a delete is a {@code Status}.
     *
     * @throws UnexpectedResponseException if it is a {@code Status} that does not report success
     */
    public static boolean isStatusOfSuccess(JsonNode response, ClientCall call) {
        if (!response.path("kind").asText("").equals(STATUS)) {
            return false;
        }
        if (!response.path("status").asText("").equals("Success")) {
            throw ObjectCodec.unexpected(call, "is a Status that does not report success");
        }
        return true;
    }
}
