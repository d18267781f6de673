package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.OwnerRef;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the JSON of {@code metadata} into a {@link HeaderDraft}. To be used by one thread. */
final class HeaderReader {

    private final HeaderDraft draft = new HeaderDraft();
    private final List<String> texts = new ArrayList<>();
    private final JsonCursor json;

    HeaderReader(StringPool pool) {
        this.json = new JsonCursor(pool);
    }

    /**
     * Reads metadata.
     *
     * @return the draft, valid until the next call
     * @throws StreamCorruptedException if it is not well-formed
     */
    HeaderDraft read(byte[] text, int start, int end) throws StreamCorruptedException {
        draft.clear();
        json.reset(text, start, end);
        if (json.skipIf('{')) {
            while (json.nextField()) {
                readField(json.name());
            }
        }
        return draft;
    }

    private void readField(String field) throws StreamCorruptedException {
        switch (field) {
            case "name" -> draft.name = json.text();
            case "namespace" -> draft.namespace = json.shared();
            case "uid" -> draft.uid = json.text();
            case "resourceVersion" -> draft.version = json.text();
            case "generation" -> draft.generation = json.number();
            case "creationTimestamp" -> draft.created = json.text();
            case "deletionTimestamp" -> draft.deletion = emptyAsNull(json.text());
            case "labels" -> draft.labels = pairs();
            case "annotations" -> draft.annotations = pairs();
            case "ownerReferences" -> draft.owners = owners();
            case "finalizers" -> draft.finalizers = strings();
            default -> json.skip();
        }
    }

    private static @Nullable String emptyAsNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private String[] pairs() throws StreamCorruptedException {
        if (json.peek() != '{') {
            json.skip();
            return SmallMap.NONE;
        }
        json.skipIf('{');
        texts.clear();
        while (json.nextField()) {
            texts.add(json.name());
            texts.add(json.shared());
        }
        return texts.isEmpty() ? SmallMap.NONE : texts.toArray(SmallMap.NONE);
    }

    private List<String> strings() throws StreamCorruptedException {
        if (json.peek() != '[') {
            json.skip();
            return List.of();
        }
        json.skipIf('[');
        texts.clear();
        while (json.nextElement()) {
            texts.add(json.shared());
        }
        return List.copyOf(texts);
    }

    private List<OwnerRef> owners() throws StreamCorruptedException {
        if (json.peek() != '[') {
            json.skip();
            return List.of();
        }
        json.skipIf('[');
        List<OwnerRef> owners = new ArrayList<>(1);
        while (json.nextElement()) {
            if (json.peek() == '{') {
                owners.add(owner());
            } else {
                json.skip();
            }
        }
        return List.copyOf(owners);
    }

    private OwnerRef owner() throws StreamCorruptedException {
        String apiVersion = "";
        String kind = "";
        String name = "";
        String uid = "";
        boolean controller = false;
        json.skipIf('{');
        while (json.nextField()) {
            switch (json.name()) {
                case "apiVersion" -> apiVersion = json.shared();
                case "kind" -> kind = json.shared();
                case "name" -> name = json.shared();
                case "uid" -> uid = json.shared();
                case "controller" -> controller = json.isTrue();
                default -> json.skip();
            }
        }
        return new OwnerRef(apiVersion, kind, name, uid, controller);
    }
}
