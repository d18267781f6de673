package io.github.reconciler4j.client.error;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
        this(kind, key, type, field, place(field));
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

    /**
     * Create an exception for an object that Jackson cannot decode. It names the field, and the class of the field if Jackson can create
     * no object of it. It contains no text of Jackson, which quotes values.
     */
    public static UndecodableObjectException of(KindName kind, ObjectKey key, Class<?> type, IOException failure) {
        String field = pathOf(failure);
        Class<?> unusable = unusable(failure);
        String reason = unusable == null
                ? " (R4J-110)"
                : ", because Jackson cannot create a " + unusable.getName() + advice(unusable) + " (R4J-109)";
        return new UndecodableObjectException(kind, key, type, field, place(field) + reason);
    }

    private static String place(String field) {
        return field.isEmpty() ? "" : ": see field '" + field + "'";
    }

    private static String advice(Class<?> unusable) {
        Class<?> type = unusable;
        while (type.isArray()) {
            type = type.getComponentType();
        }
        if (type.getClassLoader() == null || type.getClassLoader() == ClassLoader.getPlatformClassLoader()) {
            return ": use another class, or name a deserializer with @JsonDeserialize(using = ...)"; // of the JDK
        }
        if (Stream.of(type.getAnnotations())
                .anyMatch(one -> one.annotationType().getName().equals("kotlin.Metadata"))) {
            return ": add jackson-module-kotlin to your dependencies, or give each property a default";
        }
        return Modifier.isAbstract(type.getModifiers())
                ? ": name an implementation with @JsonDeserialize(as = ...)"
                : ": give it a constructor without parameters, or annotate one with @JsonCreator";
    }

    /** Return the class that no value fits, null if it is the value that is wrong. */
    private static @Nullable Class<?> unusable(IOException failure) {
        if (failure instanceof InvalidDefinitionException definition) {
            return definition.getType() == null ? null : definition.getType().getRawClass();
        }
        if (failure instanceof InvalidNullException) {
            return null; // the object lacks a property of a Kotlin class
        }
        Class<?> target = failure instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        return target == null || isCreatable(target) ? null : target;
    }

    /** With a constructor for a text, Jackson takes a text for the only value that fits. */
    private static boolean isCreatable(Class<?> type) {
        return type.isPrimitive()
                || type.isArray()
                || type.isEnum()
                || type.isRecord()
                || type.getName().startsWith("java.")
                || type.isAnnotationPresent(JsonDeserialize.class)
                || Stream.of(type.getDeclaredMethods()).anyMatch(m -> m.isAnnotationPresent(JsonCreator.class))
                || Stream.of(type.getDeclaredConstructors())
                        .anyMatch(c -> c.getParameterCount() == 0 || c.isAnnotationPresent(JsonCreator.class));
    }

    /** Return where an object does not fit. The text of Jackson is omitted, since it quotes values. */
    private static String pathOf(IOException failure) {
        StringBuilder path = new StringBuilder();
        if (failure instanceof JsonMappingException mapping) {
            for (JsonMappingException.Reference reference : mapping.getPath()) {
                append(path, reference.getFieldName(), reference.getIndex());
            }
        }
        return path.toString();
    }

    private static void append(StringBuilder path, @Nullable String field, int index) {
        path.append(field == null ? "[" + index + "]" : path.isEmpty() ? field : "." + field);
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
