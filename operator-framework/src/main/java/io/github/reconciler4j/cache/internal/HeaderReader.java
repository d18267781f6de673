package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.OwnerRef;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the JSON of {@code metadata} into a {@link HeaderDraft}. To be used by one thread. */
final class HeaderReader {

    /** Objects that follow each other in a list often have the same labels, finalizers and owners. */
    private static final int SHARED = 1024;

    private final HeaderDraft draft = new HeaderDraft();
    private final Sharing sharing = new Sharing(SHARED);
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
        return sharing.share(texts.toArray(SmallMap.NONE));
    }

    private String[] strings() throws StreamCorruptedException {
        if (json.peek() != '[') {
            json.skip();
            return SmallMap.NONE;
        }
        json.skipIf('[');
        texts.clear();
        while (json.nextElement()) {
            texts.add(json.shared());
        }
        return sharing.share(texts.toArray(SmallMap.NONE));
    }

    private @Nullable PackedOwner owners() throws StreamCorruptedException {
        if (json.peek() != '[') {
            json.skip();
            return null;
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
        PackedOwner packed = null;
        for (int i = owners.size() - 1; i >= 0; i--) {
            packed = pack(owners.get(i), packed);
        }
        return packed;
    }

    private PackedOwner pack(OwnerRef owner, @Nullable PackedOwner next) {
        PackedOwner.Type type =
                sharing.share(new PackedOwner.Type(owner.apiVersion(), owner.kind(), owner.controller()));
        return sharing.share(new PackedOwner(type, owner.name(), owner.uid(), next));
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
                case "name" -> name = json.text(); // shared as a whole: seldom do two owners have the same
                case "uid" -> uid = json.text();
                case "controller" -> controller = json.isTrue();
                default -> json.skip();
            }
        }
        return new OwnerRef(apiVersion, kind, name, uid, controller);
    }
}
