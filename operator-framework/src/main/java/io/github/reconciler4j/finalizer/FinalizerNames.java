package io.github.reconciler4j.finalizer;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and changes the finalizers of an object in memory. Nothing is written to the API server.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * manager.client().edit(greeting, changed -> FinalizerNames.remove(changed, "example.com/old"));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class FinalizerNames {

    private FinalizerNames() {}

    /** Return whether an object has a finalizer. */
    public static boolean has(HasMetadata object, String name) {
        return of(object).contains(name);
    }

    /** Add a finalizer if it is missing, and return whether the object has changed. */
    public static boolean add(HasMetadata object, String name) {
        List<String> names = new ArrayList<>(of(object));
        boolean changed = !names.contains(name) && names.add(name);
        if (changed) {
            object.getMetadata().setFinalizers(names);
        }
        return changed;
    }

    /** Remove a finalizer, including duplicates, and return whether the object has changed. */
    public static boolean remove(HasMetadata object, String name) {
        List<String> names = new ArrayList<>(of(object));
        boolean changed = names.removeIf(name::equals);
        if (changed) {
            object.getMetadata().setFinalizers(names);
        }
        return changed;
    }

    static List<String> of(HasMetadata object) {
        List<String> names = object.getMetadata().getFinalizers();
        return names == null ? List.of() : names;
    }
}
