package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Fills lists for tests, as a reflector does. */
public final class ListFixture {

    private ListFixture() {}

    /** Add objects, given as JSON, to a list. */
    public static ListSnapshot fill(ListSnapshot list, EntryReader reader, List<String> objects) throws IOException {
        for (String object : objects) {
            byte[] json = object.getBytes(StandardCharsets.UTF_8);
            reader.read(new JsonReader(json, json.length));
            list.add(reader, reader.header());
        }
        return list;
    }
}
