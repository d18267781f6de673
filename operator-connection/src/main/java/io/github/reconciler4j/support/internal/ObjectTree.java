package io.github.reconciler4j.support.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The content of an object that is a tree of beans, maps, lists and values, such as Jackson makes of JSON. As many copies of the
 * object can be made of it as wanted, each for a fraction of the time that decoding takes. A copy has no part in common with the
 * object or other copies but values that cannot change, mostly texts. No constructor of a bean is called: the fields of a copy
 * have the values that those of the object had. Immutable; later changes of the object do not matter.
 *
 * @param <T> the type of the object
 * @since 0.1.0
 */
public final class ObjectTree<T> {

    /** What Jackson reads is not deeper. */
    private static final int MAX_DEPTH = 1000;

    /** A {@link TreeNode}, or a value. */
    private final Object root;

    private ObjectTree(Object root) {
        this.root = root;
    }

    /**
     * Return the content of an object. Return null if copies of it would not be faithful: a part appears twice in it, or has a
     * class that is not known to be plain, see {@link ObjectKind}.
     */
    public static <T> @Nullable ObjectTree<T> of(T object) {
        try {
            return new ObjectTree<>(new Reader().read(object, MAX_DEPTH));
        } catch (NotPlainException e) {
            return null;
        }
    }

    /** Return a copy of the object. */
    public T copy() {
        @SuppressWarnings("unchecked") // it was read from a T
        T copy = (T) (root instanceof TreeNode part ? part.copy() : root);
        return copy;
    }

    /** Return whether the other object has the same classes and values throughout. */
    public boolean hasContentOf(ObjectTree<?> other) {
        return root.equals(other.root);
    }

    /** The object cannot be copied. Has no stack trace, because it is an answer. */
    private static final class NotPlainException extends Exception {

        private static final long serialVersionUID = 1L;

        NotPlainException() {
            super("not plain", null, false, false);
        }
    }

    /** Reads one object. Confined to one thread. */
    private static final class Reader {

        private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

        Object read(Object object, int depth) throws NotPlainException {
            ObjectKind kind = ObjectKind.of(object);
            if (kind == ObjectKind.VALUE) {
                return object;
            }
            if (kind == ObjectKind.UNKNOWN || depth == 0 || !seen.add(object)) {
                throw new NotPlainException();
            }
            if (object instanceof Map<?, ?> map) {
                return map(map, depth);
            }
            if (object instanceof List<?> list) {
                return new ListPart(all(list, depth));
            }
            return object instanceof JsonNode node ? new NodePart(node.deepCopy()) : bean(object, kind, depth);
        }

        private MapPart map(Map<?, ?> map, int depth) throws NotPlainException {
            for (Object key : map.keySet()) {
                if (key == null || ObjectKind.of(key) != ObjectKind.VALUE) {
                    throw new NotPlainException();
                }
            }
            return new MapPart(map.getClass(), map.keySet().toArray(), all(map.values(), depth));
        }

        private Elements all(Collection<?> parts, int depth) throws NotPlainException {
            @Nullable Object[] all = parts.toArray();
            for (int i = 0; i < all.length; i++) {
                Object part = all[i];
                all[i] = part == null ? null : read(part, depth - 1);
            }
            return new Elements(all);
        }

        private BeanPart bean(Object object, ObjectKind kind, int depth) throws NotPlainException {
            List<Field> fields = new ArrayList<>();
            List<Object> parts = new ArrayList<>();
            try {
                for (Field field : kind.fields()) {
                    Object part = field.get(object);
                    if (part != null) { // the fields of a new object are null
                        fields.add(field);
                        parts.add(read(part, depth - 1));
                    }
                }
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
            return new BeanPart(kind.allocator(), fields.toArray(Field[]::new), new Elements(parts.toArray()));
        }
    }

    /** What consists of parts. No interface, because most parts are texts, and whether a text has an interface is a search. Immutable. */
    private abstract static class TreeNode {
        abstract Object copy();
    }

    private static final class NodePart extends TreeNode {

        private final JsonNode node;

        NodePart(JsonNode node) {
            this.node = node;
        }

        @Override
        Object copy() {
            return node.deepCopy();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof NodePart part && node.equals(part.node);
        }

        @Override
        public int hashCode() {
            return node.hashCode();
        }
    }

    // The arrays of these are never changed, and equality is that of their elements.

    /**
     * The elements of a part. Those that consist of parts are in an array of their own: whether a value does is known without a look
     * at it, which would often be the only one, at memory that is in no cache of the processor.
     */
    private static final class Elements {

        private final @Nullable Object[] all;
        private final @Nullable TreeNode @Nullable [] composed;

        Elements(@Nullable Object[] all) {
            this.all = all;
            this.composed = composed(all);
        }

        private static @Nullable TreeNode @Nullable [] composed(@Nullable Object[] all) {
            @Nullable TreeNode[] composed = null;
            for (int i = 0; i < all.length; i++) {
                if (all[i] instanceof TreeNode part) {
                    composed = composed == null ? new @Nullable TreeNode[all.length] : composed;
                    composed[i] = part;
                }
            }
            return composed;
        }

        int size() {
            return all.length;
        }

        /** Return an element of a copy. */
        @Nullable
        Object copy(int index) {
            TreeNode part = composed == null ? null : composed[index];
            return part == null ? all[index] : part.copy();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Elements elements && Arrays.equals(all, elements.all);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(all);
        }
    }

    private static final class ListPart extends TreeNode {

        private final Elements parts;

        ListPart(Elements parts) {
            this.parts = parts;
        }

        @Override
        Object copy() {
            List<@Nullable Object> copy = new ArrayList<>(parts.size());
            for (int i = 0; i < parts.size(); i++) {
                copy.add(parts.copy(i));
            }
            return copy;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof ListPart list && parts.equals(list.parts);
        }

        @Override
        public int hashCode() {
            return parts.hashCode();
        }
    }

    private static final class MapPart extends TreeNode {

        private static final int DEFAULT_CAPACITY = 16;
        private static final int FEW = 3;

        private final Class<?> type;
        private final Object[] keys;
        private final Elements parts;

        MapPart(Class<?> type, Object[] keys, Elements parts) {
            this.type = type;
            this.keys = keys;
            this.parts = parts;
        }

        @Override
        Object copy() {
            // without growing; the table of an empty map is made when it is needed
            int capacity = keys.length == 0 ? DEFAULT_CAPACITY : keys.length + keys.length / FEW + 1;
            Map<Object, @Nullable Object> copy = type == LinkedHashMap.class
                    ? new LinkedHashMap<>(capacity)
                    : type == TreeMap.class ? new TreeMap<>() : new HashMap<>(capacity);
            for (int i = 0; i < keys.length; i++) {
                copy.put(keys[i], parts.copy(i));
            }
            return copy;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof MapPart map
                    && type == map.type
                    && Arrays.equals(keys, map.keys)
                    && parts.equals(map.parts);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(keys) ^ parts.hashCode();
        }
    }

    private static final class BeanPart extends TreeNode {

        private final Constructor<?> allocator;
        private final Field[] fields;
        private final Elements parts;

        BeanPart(Constructor<?> allocator, Field[] fields, Elements parts) {
            this.allocator = allocator;
            this.fields = fields;
            this.parts = parts;
        }

        @Override
        Object copy() {
            try {
                Object copy = allocator.newInstance();
                for (int i = 0; i < fields.length; i++) {
                    fields[i].set(copy, parts.copy(i));
                }
                return copy;
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof BeanPart bean
                    && allocator == bean.allocator
                    && Arrays.equals(fields, bean.fields)
                    && parts.equals(bean.parts);
        }

        @Override
        public int hashCode() {
            return Objects.hash(allocator, parts);
        }
    }

    /**
     * What objects of a class are here: values that cannot change, collections (lists, the usual maps, and nodes of
     * JSON), beans whose fields are all that matters, or unknown. Beans are classes that do not belong to the JDK and whose fields
     * reflection can read and write. Immutable.
     */
    private static final class ObjectKind {

        /** A value that needs no copy. */
        static final ObjectKind VALUE = new ObjectKind(List.of(), null);

        /** Not known. */
        static final ObjectKind UNKNOWN = new ObjectKind(List.of(), null);

        private static final ObjectKind COLLECTION = new ObjectKind(List.of(), null);

        /** An image that was compiled ahead of time shows reflection only those fields that its hints name. */
        private static final boolean ALL_FIELDS_VISIBLE =
                System.getProperty("org.graalvm.nativeimage.imagecode") == null;

        /** Later versions of Java warn when reflection sets a final field, as those of every custom resource are. */
        private static final int LAST_TO_SET_FINAL_FIELDS = 25;

        private static final Set<Class<?>> COLLECTIONS =
                Set.of(ArrayList.class, LinkedHashMap.class, HashMap.class, ObjectNode.class, ArrayNode.class);

        private static final Set<Class<?>> VALUES = Set.of(
                String.class,
                Boolean.class,
                Character.class,
                Byte.class,
                Short.class,
                Integer.class,
                Long.class,
                Float.class,
                Double.class,
                BigInteger.class,
                BigDecimal.class,
                UUID.class,
                URI.class,
                Collections.emptyList().getClass(),
                Collections.emptyMap().getClass());

        private static final ClassValue<ObjectKind> KINDS = new ClassValue<>() {
            @Override
            protected ObjectKind computeValue(Class<?> type) {
                return isValue(type) ? VALUE : COLLECTIONS.contains(type) ? COLLECTION : beanOrUnknown(type);
            }
        };

        private final List<Field> fields;
        private final @Nullable Constructor<?> allocator;

        private ObjectKind(List<Field> fields, @Nullable Constructor<?> allocator) {
            this.fields = fields;
            this.allocator = allocator;
        }

        /** Return the kind of an object. */
        static ObjectKind of(Object object) {
            if (object instanceof String) {
                return VALUE;
            }
            boolean plainlySorted = object.getClass() == TreeMap.class && ((TreeMap<?, ?>) object).comparator() == null;
            return plainlySorted ? COLLECTION : KINDS.get(object.getClass());
        }

        /** Return the fields of a bean. */
        List<Field> fields() {
            return fields;
        }

        /** Return what creates a bean whose fields are null, 0 or false. */
        Constructor<?> allocator() {
            return Objects.requireNonNull(allocator);
        }

        private static boolean isValue(Class<?> type) {
            return VALUES.contains(type)
                    || Enum.class.isAssignableFrom(type)
                    || type.getPackageName().equals("java.time")
                    || ValueNode.class.isAssignableFrom(type) && type != POJONode.class;
        }

        private static ObjectKind beanOrUnknown(Class<?> type) {
            if (!ALL_FIELDS_VISIBLE || type == Object.class || type.isHidden() || type.isArray() || type.isRecord()) {
                return UNKNOWN;
            }
            List<Field> fields = new ArrayList<>();
            for (Class<?> part = type; part != Object.class; part = part.getSuperclass()) {
                if (part.getClassLoader() == null) {
                    return UNKNOWN; // what classes of the JDK have in their fields is not known
                }
                for (Field field : part.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers())) {
                        continue;
                    }
                    if (isFixed(field) || field.isSynthetic() || !field.trySetAccessible()) {
                        return UNKNOWN;
                    }
                    fields.add(field);
                }
            }
            try {
                return new ObjectKind(List.copyOf(fields), allocator(type));
            } catch (ReflectiveOperationException | RuntimeException e) {
                return UNKNOWN; // a runtime image without the module jdk.unsupported
            }
        }

        private static boolean isFixed(Field field) {
            return Modifier.isFinal(field.getModifiers()) && Runtime.version().feature() > LAST_TO_SET_FINAL_FIELDS;
        }

        /** Return a constructor that sets no fields, as deserialization uses it. The compiler refuses to know its factory. */
        private static Constructor<?> allocator(Class<?> type) throws ReflectiveOperationException {
            Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
            Object instance = factory.getMethod("getReflectionFactory").invoke(null);
            return (Constructor<?>) factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                    .invoke(instance, type, Object.class.getDeclaredConstructor());
        }
    }
}
