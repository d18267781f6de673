package io.github.reconciler4j.generator.yaml;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.generator.GeneratorException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads and writes YAML. Trees consist of {@code Map<String, Object>}, {@code List<Object>}, {@code String},
 * {@code Number}, {@code Boolean} and null; {@link Raw} is text that is written as it is.
 *
 * @since 0.1.0
 */
public final class Yaml {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    /**
     * A scalar that is written without quotes, for instance the expression of a template.
     *
     * @param text what is written, without line breaks
     * @since 0.1.0
     */
    public record Raw(String text) {}

    private Yaml() {}

    /** Return a tree as one document, with a line break at its end and without {@code ---}. */
    public static String write(Object tree) {
        return new YamlWriter(false).write(tree, 0);
    }

    /**
     * Return a tree as a part of a template of Helm, with a line break at its end. Braces in its texts are no expressions there,
     * those of {@link Raw} are.
     *
     * @param blanks how far the part is indented
     */
    public static String writeTemplate(Object tree, int blanks) {
        return new YamlWriter(true).write(tree, blanks);
    }

    /** Return several trees as one stream, separated by {@code ---}. */
    public static String writeAll(Iterable<?> trees) {
        List<String> documents = new ArrayList<>();
        trees.forEach(tree -> documents.add(write(tree)));
        return String.join("---\n", documents);
    }

    /**
     * Return the documents of a stream that are maps; empty ones are left out.
     *
     * @param origin where the text comes from, for the message of an exception
     * @throws GeneratorException if the text is not YAML
     */
    public static List<Map<String, Object>> readAll(String text, String origin) {
        return load(origin, () -> {
            List<Map<String, Object>> documents = new ArrayList<>();
            for (Object document : new Load(settings(text, origin)).loadAllFromString(text)) {
                if (document instanceof Map<?, ?> map) {
                    documents.add(strings(map));
                }
            }
            return documents;
        });
    }

    /** Run the library, which fails with other errors for texts that end within an escape or are nested thousands of times. */
    private static <T> T load(String origin, Supplier<T> library) {
        try {
            return library.get();
        } catch (YamlEngineException | IndexOutOfBoundsException | NumberFormatException e) {
            throw new GeneratorException(origin + " is not valid YAML: " + e.getMessage(), e);
        } catch (StackOverflowError e) {
            throw new GeneratorException(origin + " cannot be read: its lists and maps are nested too deeply", e);
        }
    }

    /** Reads all in one piece, because the library fails if a character outside of the first plane crosses two pieces. */
    private static LoadSettings settings(String text, String origin) {
        return LoadSettings.builder()
                .setLabel(origin)
                .setCodePointLimit(Integer.MAX_VALUE)
                .setBufferSize(text.length() + 1024)
                .build();
    }

    /**
     * Return the only document of a text.
     *
     * @throws GeneratorException if the text is not YAML, or is not one map
     */
    public static Map<String, Object> read(String text, String origin) {
        List<Map<String, Object>> documents = readAll(text, origin);
        if (documents.size() != 1) {
            throw new GeneratorException(origin + " must hold one object, holds " + documents.size());
        }
        return documents.get(0);
    }

    /** Return any scalar, list or map that a short text holds. */
    public static @Nullable Object readValue(String text, String origin) {
        return load(origin, () -> plain(new Load(settings(text, origin)).loadFromString(text)));
    }

    /** Return a model object as a tree, without nulls and empty values that its class leaves out. */
    public static Map<String, Object> tree(Object model) {
        return read(SERIALIZATION.asJson(model), model.getClass().getSimpleName());
    }

    /** Return a tree as an object of a model class. */
    public static <T> T convert(Object tree, Class<T> type) {
        return SERIALIZATION.convertValue(tree, type);
    }

    /** Return a tree as JSON. */
    public static byte[] json(Object tree) {
        return SERIALIZATION.asJson(tree).getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> strings(Map<?, ?> map) {
        Map<String, Object> result = new LinkedHashMap<>();
        map.forEach((key, value) -> result.put(String.valueOf(key), plain(value)));
        return result;
    }

    @SuppressWarnings("NullAway") // a tree may hold nulls
    private static Object plain(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return strings(map);
        }
        if (value instanceof List<?> list) {
            List<Object> result = new ArrayList<>();
            list.forEach(item -> result.add(plain(item)));
            return result;
        }
        return value;
    }
}
