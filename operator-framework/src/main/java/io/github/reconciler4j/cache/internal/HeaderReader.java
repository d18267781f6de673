package io.github.reconciler4j.cache.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.reconciler4j.scheme.OwnerRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the JSON of {@code metadata} into a {@link HeaderDraft}. To be used by one thread. */
final class HeaderReader {

    /** Field names are label keys too, so they go to the pool instead of the symbol table of the whole JVM. */
    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
            .build();

    private final StringPool pool;
    private final HeaderDraft draft = new HeaderDraft();
    private final List<String> texts = new ArrayList<>();

    HeaderReader(StringPool pool) {
        this.pool = pool;
    }

    /**
     * Reads metadata.
     *
     * @return the draft, valid until the next call
     */
    HeaderDraft read(byte[] json, int start, int end) throws IOException {
        draft.clear();
        if (start == end) {
            return draft;
        }
        try (JsonParser parser = FACTORY.createParser(json, start, end - start)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                readField(field, parser);
            }
        }
        return draft;
    }

    private void readField(String field, JsonParser parser) throws IOException {
        switch (field) {
            case "name" -> draft.name = shared(parser);
            case "namespace" -> draft.namespace = shared(parser);
            case "uid" -> draft.uid = text(parser);
            case "resourceVersion" -> draft.version = text(parser);
            case "generation" -> draft.generation = parser.getValueAsLong();
            case "creationTimestamp" -> draft.created = text(parser);
            case "deletionTimestamp" -> draft.deletion = emptyAsNull(text(parser));
            case "labels" -> draft.labels = pairs(parser);
            case "annotations" -> draft.annotations = pairs(parser);
            case "ownerReferences" -> draft.owners = owners(parser);
            case "finalizers" -> draft.finalizers = strings(parser);
            default -> parser.skipChildren();
        }
    }

    private static @Nullable String emptyAsNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static String text(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            return parser.getText();
        }
        parser.skipChildren();
        return "";
    }

    private String shared(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            return pool.share(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
        }
        parser.skipChildren();
        return "";
    }

    private String[] pairs(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return SmallMap.NONE;
        }
        texts.clear();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            texts.add(pool.share(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength()));
            parser.nextToken();
            texts.add(shared(parser));
        }
        return texts.isEmpty() ? SmallMap.NONE : texts.toArray(SmallMap.NONE);
    }

    private List<String> strings(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return List.of();
        }
        texts.clear();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            texts.add(shared(parser));
        }
        return List.copyOf(texts);
    }

    private List<OwnerRef> owners(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return List.of();
        }
        List<OwnerRef> owners = new ArrayList<>(1);
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            owners.add(owner(parser));
        }
        return List.copyOf(owners);
    }

    private OwnerRef owner(JsonParser parser) throws IOException {
        String apiVersion = "";
        String kind = "";
        String name = "";
        String uid = "";
        boolean controller = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "apiVersion" -> apiVersion = shared(parser);
                case "kind" -> kind = shared(parser);
                case "name" -> name = shared(parser);
                case "uid" -> uid = shared(parser);
                case "controller" -> controller = parser.getValueAsBoolean();
                default -> parser.skipChildren();
            }
        }
        return new OwnerRef(apiVersion, kind, name, uid, controller);
    }
}
