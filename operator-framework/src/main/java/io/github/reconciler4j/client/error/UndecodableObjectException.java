package io.github.reconciler4j.client.error;

import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * An object does not fit the class it should be read into. The message names kind, object, class and field, never the
 * value. The object can still be read in its generic form and as a header.
 *
 * @since 0.1.0
 */
public class UndecodableObjectException extends ApiException {

    private static final long serialVersionUID = 1L;

    private final transient GroupVersionKind kind;
    private final transient ObjectKey key;
    private final String field;

    /**
     * Creates it.
     *
     * @param kind the kind of the object
     * @param key which object
     * @param type the class it does not fit
     * @param field the path of the field that does not fit, {@code ""} if the object as a whole does not
     */
    public UndecodableObjectException(GroupVersionKind kind, ObjectKey key, Class<?> type, String field) {
        super(
                kind.kind() + " " + key + " does not fit " + type.getName()
                        + (field.isEmpty() ? "" : ": see field '" + field + "'"),
                0,
                "Undecodable",
                List.of(new Cause(field, "Undecodable", "does not fit " + type.getName())),
                Optional.empty());
        this.kind = kind;
        this.key = key;
        this.field = field;
    }

    /** The kind of the object. */
    public GroupVersionKind kind() {
        return kind;
    }

    /** Which object. */
    public ObjectKey key() {
        return key;
    }

    /** The path of the field that does not fit, {@code ""} if the object as a whole does not. */
    public String field() {
        return field;
    }
}
