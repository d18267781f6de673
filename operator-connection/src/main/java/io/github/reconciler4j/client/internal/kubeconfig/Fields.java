package io.github.reconciler4j.client.internal.kubeconfig;

import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object in a kubeconfig. As for kubectl, a value of another type is an error. A field that is null or empty
 * counts as missing.
 *
 * @param subject the kubeconfig in messages
 * @param path the place of the object in messages, which is {@code ""} at the top
 */
record Fields(String subject, String path, Map<?, ?> tree) {

    /** Return a text, {@code ""} for none. */
    String text(String name) {
        Object value = tree.get(name);
        if (value == null) {
            return "";
        }
        if (value instanceof String text) {
            return text;
        }
        throw wrong(name, "no text");
    }

    boolean flag(String name) {
        Object value = tree.get(name);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(name, "neither true nor false");
    }

    /** Return an object, null for none. */
    @Nullable
    Fields object(String name) {
        Object value = tree.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Map<?, ?> object) {
            return new Fields(subject, place(name), object);
        }
        throw wrong(name, "no object");
    }

    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (Object element : list(name)) {
            if (element != null && !(element instanceof String)) {
                throw wrong(name, "no list of texts");
            }
            texts.add(element == null ? "" : (String) element);
        }
        return texts;
    }

    List<Fields> objects(String name) {
        List<Fields> objects = new ArrayList<>();
        for (Object element : list(name)) {
            if (element != null && !(element instanceof Map<?, ?>)) {
                throw wrong(name, "no list of objects");
            }
            objects.add(new Fields(subject, place(name), element == null ? Map.of() : (Map<?, ?>) element));
        }
        return objects;
    }

    /** Return the texts of an object whose values are lists of them. */
    Map<String, List<String>> lists(String name) {
        Map<String, List<String>> lists = new LinkedHashMap<>();
        Fields object = object(name);
        if (object != null) {
            for (Object key : object.tree.keySet()) {
                lists.put(String.valueOf(key), object.texts(String.valueOf(key)));
            }
        }
        return lists;
    }

    private List<?> list(String name) {
        Object value = tree.get(name);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrong(name, "no list");
    }

    private String place(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private InvalidKubeconfigException wrong(String name, String problem) {
        return invalid("has a field '" + place(name) + "' that is " + problem);
    }

    /** Return an error about the kubeconfig. */
    InvalidKubeconfigException invalid(String problem) {
        return new InvalidKubeconfigException(subject, problem);
    }

    void require(boolean condition, String problem) {
        if (!condition) {
            throw invalid(problem);
        }
    }

    /** Nothing of the content, which is secret. */
    @Override
    public String toString() {
        return subject + " " + path;
    }
}
