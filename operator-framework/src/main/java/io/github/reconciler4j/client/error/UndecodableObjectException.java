package io.github.reconciler4j.client.error;

import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;

/**
 * An object does not fit the class that it should be read into. The message names kind, object, class and field, never the
 * value. The object can still be read as a generic resource and as a header.
 *
 * @since 0.1.0
 */
public class UndecodableObjectException extends ApiException {

    private static final long serialVersionUID = 1L;

    private final transient KindName kind;
    private final transient ObjectKey key;
    private final String field;

    /**
     * Create an exception.
     *
     * @param kind the kind of the object
     * @param key the key of the object
     * @param type the class that the object does not fit
     * @param field the path of the field that does not fit, {@code ""} if it is the object as a whole
     */
    public UndecodableObjectException(KindName kind, ObjectKey key, Class<?> type, String field) {
        this(kind, key, type, field, field.isEmpty() ? "" : ": see field '" + field + "'");
    }

    /**
     * Create an exception whose message ends with a reason.
     *
     * @param reason follows the words that the object does not fit
     */
    public UndecodableObjectException(KindName kind, ObjectKey key, Class<?> type, String field, String reason) {
        super(
                kind.kind() + " " + key + " does not fit " + type.getName() + reason,
                ErrorDetails.of(0, "Undecodable")
                        .withCauses(List.of(new Cause(field, "Undecodable", "does not fit " + type.getName()))));
        this.kind = kind;
        this.key = key;
        this.field = field;
    }

    /** Return the kind of the object. */
    public KindName kind() {
        return kind;
    }

    /** Return the key of the object. */
    public ObjectKey key() {
        return key;
    }

    /** Return the path of the field that does not fit, {@code ""} if it is the object as a whole. */
    public String field() {
        return field;
    }
}
