package io.github.reconciler4j.cache.internal.json;

import io.github.reconciler4j.cache.internal.json.MutableHeader.ArrayMap;
import io.github.reconciler4j.scheme.OwnerRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON of {@code metadata} into a {@link MutableHeader}. Values of a wrong type count as not set. Confined to one
 * thread.
 *
 * @since 0.1.0
 */
public final class HeaderReader {

    /** Objects that follow each other in a list often have the same labels, finalizers and owners. */
    private static final int SHARED = 1024;

    private final MutableHeader header = new MutableHeader();
    private final Interner interner = new Interner(SHARED);
    private final List<String> texts = new ArrayList<>();
    /** The uids of the owners that the object blocks. */
    private final List<String> blocked = new ArrayList<>();

    private final JsonReader json;

    /** Create a reader that shares strings with others. */
    public HeaderReader(StringInterner strings) {
        this.json = new JsonReader(strings);
    }

    /**
     * Read metadata.
     *
     * @return the header, valid until the next call
     * @throws IOException if the metadata is not valid JSON
     */
    public MutableHeader read(byte[] text, int start, int end) throws IOException {
        header.clear();
        json.reset(text, start, end);
        if (start < end && json.openIf('{')) {
            for (String field = json.nextName(); field != null; field = json.nextName()) {
                readField(field);
            }
        }
        return header;
    }

    private void readField(String field) throws IOException {
        switch (field) {
            case "name" -> header.name = json.text();
            case "namespace" -> header.namespace = json.sharedText();
            case "uid" -> header.uid = json.text();
            case "resourceVersion" -> header.version = json.text();
            case "generation" -> header.generation = json.number();
            case "creationTimestamp" -> header.created = json.text();
            case "deletionTimestamp" -> header.deletion = emptyAsNull(json.text());
            case "labels" -> header.labels = pairs();
            case "annotations" -> header.annotations = pairs();
            case "ownerReferences" -> header.owners = owners();
            case "finalizers" -> header.finalizers = strings();
            default -> json.skip();
        }
    }

    private static @Nullable String emptyAsNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private String[] pairs() throws IOException {
        if (!json.openIf('{')) {
            json.skip();
            return ArrayMap.NONE;
        }
        texts.clear();
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            put(name, json.sharedText());
        }
        return interner.share(texts.toArray(ArrayMap.NONE));
    }

    /** Of a name that occurs twice the last value counts, as in every other reader of JSON. */
    private void put(String name, String value) {
        for (int i = 0; i < texts.size(); i += 2) {
            if (texts.get(i).equals(name)) {
                texts.set(i + 1, value);
                return;
            }
        }
        texts.add(name);
        texts.add(value);
    }

    private String[] strings() throws IOException {
        if (!json.openIf('[')) {
            json.skip();
            return ArrayMap.NONE;
        }
        texts.clear();
        while (json.nextElement()) {
            texts.add(json.sharedText());
        }
        return interner.share(texts.toArray(ArrayMap.NONE));
    }

    private @Nullable PackedOwners owners() throws IOException {
        if (!json.openIf('[')) {
            json.skip();
            return null;
        }
        List<OwnerRef> owners = new ArrayList<>(1);
        blocked.clear();
        while (json.nextElement()) {
            if (json.openIf('{')) {
                owners.add(owner());
            } else {
                json.skip();
            }
        }
        return PackedOwners.of(owners, blocked, interner);
    }

    private OwnerRef owner() throws IOException {
        String apiVersion = "";
        String kind = "";
        String name = "";
        String uid = "";
        boolean controller = false;
        boolean blocking = false;
        for (String field = json.nextName(); field != null; field = json.nextName()) {
            switch (field) {
                case "apiVersion" -> apiVersion = json.sharedText();
                case "kind" -> kind = json.sharedText();
                case "name" -> name = json.text(); // shared as a whole: two owners rarely have the same name
                case "uid" -> uid = json.text();
                case "controller" -> controller = json.isTrue();
                case "blockOwnerDeletion" -> blocking = json.isTrue();
                default -> json.skip();
            }
        }
        if (blocking) {
            blocked.add(uid);
        }
        return new OwnerRef(apiVersion, kind, name, uid, controller);
    }

    /**
     * Replaces equal values by one instance. Remembers a fixed number of them, so it can neither leak nor grow; equal values of
     * objects that follow each other are nearly always shared. Confined to one thread.
     */
    static final class Interner {

        private static final int SPREAD = 0x9E3779B9;

        private final Object[] slots;

        /** Create an interner that remembers at most this many values, a power of two. */
        Interner(int slots) {
            this.slots = new Object[slots];
        }

        /** Return the array or one with equal texts; neither may be changed. */
        String[] share(String[] texts) {
            if (texts.length == 0) {
                return ArrayMap.NONE;
            }
            int slot = slot(Arrays.hashCode(texts));
            if (slots[slot] instanceof String[] known && Arrays.equals(known, texts)) {
                return known;
            }
            slots[slot] = texts;
            return texts;
        }

        /** Return the value or an equal one. */
        <T> T share(T value) {
            int slot = slot(value.hashCode());
            Object known = slots[slot];
            if (value.equals(known)) {
                @SuppressWarnings("unchecked") // equal values are of one class
                T same = (T) known;
                return same;
            }
            slots[slot] = value;
            return value;
        }

        private int slot(int hash) {
            return (hash * SPREAD >>> 16) & slots.length - 1;
        }
    }
}
