package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonPOJOBuilder;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.util.NameTransformer;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Creates values of Java types with all their properties set, in the ways in which Jackson creates them. Each value has
 * the next of the subtypes, enum constants and samples in each of its places. Confined to one thread.
 */
final class Samples {

    private final ObjectMapper mapper;
    private final DeserializationConfig config;
    private final DeserializationContext context;
    private final Map<String, int[]> choices = new HashMap<>();
    private final Map<String, Origin> origins = new LinkedHashMap<>();
    private final Map<String, String> failures = new LinkedHashMap<>();
    private final Map<String, List<String>> unwrapped = new HashMap<>();
    private final Deque<Class<?>> open = new ArrayDeque<>();

    /** Changes the names of the properties of an object that is unwrapped. */
    private NameTransformer names = NameTransformer.NOP;

    /** The only property that is set, null for all. */
    private @Nullable String only;

    /**
     * Where the value at a path comes from.
     *
     * @param place the property in words
     * @param isOwn whether annotations of the property say how it is read
     */
    record Origin(String place, JavaType type, boolean isOwn) {}

    Samples(ObjectMapper mapper) {
        this.mapper = mapper;
        this.config = mapper.getDeserializationConfig();
        this.context = ((DefaultDeserializationContext) mapper.getDeserializationContext()).createDummyInstance(config);
    }

    /** Return whether each choice was made at least once. */
    boolean isComplete() {
        return choices.values().stream().allMatch(choice -> choice[0] >= choice[1]);
    }

    /** Return where the values come from, by path. */
    Map<String, Origin> origins() {
        return origins;
    }

    /** Return the properties that are unwrapped into the object at a path. */
    Map<String, List<String>> unwrapped() {
        return unwrapped;
    }

    /** Return why some values could not be created, by path. */
    Map<String, String> failures() {
        return failures;
    }

    /** Return values of a type: whole ones, and some of which one property is set. */
    List<Object> partial(JavaType type) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 100 && (i == 0 || !isComplete()); i++) {
            add(values, next(type, null, ""));
        }
        if (SampleLeaves.of(type).isEmpty() && !type.isContainerType() && !type.isAbstract()) {
            for (BeanPropertyDefinition property : config.introspect(type).findProperties()) {
                only = property.getName();
                add(values, next(type, null, ""));
                only = null;
            }
        }
        return values;
    }

    private static void add(Collection<Object> values, @Nullable Object value) {
        if (value != null) {
            values.add(value);
        }
    }

    /**
     * Return the next value of a type, null if none can be created.
     *
     * @param member the property whose annotations name subtypes, or null
     */
    @Nullable
    Object next(JavaType type, @Nullable AnnotatedMember member, String path) {
        List<?> leaves = SampleLeaves.of(type);
        if (!leaves.isEmpty()) {
            return leaves.get(choose(path, leaves.size()));
        }
        if (type.getRawClass() == Void.class) {
            return null;
        }
        if (type.isReferenceType()) {
            return type.getRawClass() == AtomicReference.class
                    ? new AtomicReference<>(next(type.getReferencedType(), member, path))
                    : null;
        }
        if (type.isArrayType()) {
            return array(type, member, path);
        }
        if (type.isCollectionLikeType() || type.getRawClass() == Iterable.class) {
            return collection(type, member, path);
        }
        if (type.isMapLikeType()) {
            return map(type, member, path);
        }
        List<JavaType> subtypes = Subtypes.all(config, type, member);
        if (subtypes.isEmpty()) {
            failures.putIfAbsent(path, type.getRawClass().getName() + " has no class that Jackson can create");
            return null;
        }
        return bean(subtypes.get(choose(path, subtypes.size())), path);
    }

    private int choose(String path, int count) {
        int[] choice = choices.computeIfAbsent(path + "|" + open.peekLast(), absent -> new int[] {0, count});
        return choice[0]++ % count;
    }

    private Object array(JavaType type, @Nullable AnnotatedMember member, String path) {
        JavaType content = type.getContentType();
        Object item = next(content, member, path + "[0]");
        Object array = Array.newInstance(content.getRawClass(), item == null ? 0 : 1);
        if (item != null) {
            Array.set(array, 0, item);
        }
        return array;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private @Nullable Object collection(JavaType type, @Nullable AnnotatedMember member, String path) {
        JavaType content = type.getContentType() == null ? config.constructType(Object.class) : type.getContentType();
        Class<?> raw = type.getRawClass();
        Collection<Object> collection = EnumSet.class.isAssignableFrom(raw)
                ? (Collection) EnumSet.noneOf((Class) content.getRawClass())
                : container(raw, path, new ArrayList<>(), new LinkedHashSet<>(), new TreeSet<>(), new ArrayDeque<>());
        if (collection != null) {
            add(collection, next(content, member, path + "[0]"));
        }
        return collection;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private @Nullable Object map(JavaType type, @Nullable AnnotatedMember member, String path) {
        Class<?> raw = type.getRawClass();
        Map<Object, Object> map = raw == EnumMap.class
                ? new EnumMap(type.getKeyType().getRawClass())
                : container(raw, path, new LinkedHashMap<>(), new TreeMap<>());
        Object key = next(type.getKeyType(), null, path + "{}");
        if (map != null && key != null) {
            Object value = next(type.getContentType(), member, path + "." + key);
            if (value != null) {
                map.put(key, value);
            }
        }
        return map;
    }

    @SafeVarargs
    @SuppressWarnings({"unchecked", "varargs"})
    private <T> @Nullable T container(Class<?> type, String path, T... usual) {
        if (!Modifier.isAbstract(type.getModifiers())) {
            try {
                return (T) type.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException | RuntimeException e) {
                failures.putIfAbsent(path, reason(type, e));
                return null;
            }
        }
        for (T each : usual) {
            if (type.isInstance(each)) {
                return each;
            }
        }
        failures.putIfAbsent(path, type.getName() + " has no class that Jackson can create");
        return null;
    }

    private @Nullable Object bean(JavaType type, String path) {
        if (open.contains(type.getRawClass())) {
            return null; // the generator refuses cycles, or a @SchemaSwap ends them
        }
        open.addLast(type.getRawClass());
        try {
            return create(type, path);
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
            failures.putIfAbsent(path, reason(type.getRawClass(), e));
            return null;
        } finally {
            open.removeLast();
        }
    }

    private static String reason(Class<?> type, Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String message = cause.getMessage() == null
                ? ""
                : ": " + cause.getMessage().lines().findFirst().orElse("");
        return "no " + type.getName() + " can be created for a test, "
                + cause.getClass().getName() + message;
    }

    private Object create(JavaType type, String path) throws IOException, ReflectiveOperationException {
        AnnotationIntrospector annotations = config.getAnnotationIntrospector();
        BeanDescription bean = config.introspect(type);
        Class<?> builder = annotations.findPOJOBuilder(bean.getClassInfo());
        if (builder == null) {
            return fill(bean, path);
        }
        BeanDescription builderBean = config.introspectForBuilder(config.constructType(builder), bean);
        Object filled = fill(builderBean, path);
        JsonPOJOBuilder.Value options = annotations.findPOJOBuilderConfig(builderBean.getClassInfo());
        var build = builder.getDeclaredMethod(options == null ? "build" : options.buildMethodName);
        build.setAccessible(true);
        return build.invoke(filled);
    }

    private Object fill(BeanDescription bean, String path) throws IOException, ReflectiveOperationException {
        ValueInstantiator instantiator = context.getFactory().findValueInstantiator(context, bean);
        Set<String> done = new HashSet<>(Set.of("apiVersion", "kind", "metadata"));
        if (!path.isEmpty()) {
            done.clear();
        }
        String typeId = typeIdProperty(bean.getType());
        if (typeId != null) {
            done.add(typeId);
        }
        Object value = instantiate(instantiator, bean, path, done);
        for (BeanPropertyDefinition property : bean.findProperties()) {
            AnnotatedMember member = property.getMutator();
            AnnotatedMember getter = property.getGetter();
            if (!done.add(property.getName()) || isLeftOut(property)) {
                continue;
            }
            if (member != null) {
                Object sample = property(bean, property.getName(), member, path);
                if (sample != null) {
                    member.fixAccess(true);
                    member.setValue(value, sample);
                }
            } else if (getter != null && getter.getType().isContainerType()) {
                addTo(value, getter, property(bean, property.getName(), getter, path));
            }
        }
        setTypeId(bean, typeId, value);
        AnnotatedMember any = bean.findAnySetterAccessor();
        if (any instanceof AnnotatedMethod setter
                && !bean.getBeanClass().getName().startsWith("io.fabric8.")) {
            Object more = next(setter.getParameterType(1), null, path + ".anyOtherField");
            setter.fixAccess(true);
            setter.getAnnotated().invoke(value, "anyOtherField", more);
        }
        return value;
    }

    /** Return the property that holds the type id, or null. */
    private @Nullable String typeIdProperty(JavaType type) throws IOException {
        TypeSerializer typing = mapper.getSerializerProviderInstance().findTypeSerializer(type);
        return typing != null && typing.getTypeInclusion() == JsonTypeInfo.As.EXISTING_PROPERTY
                ? typing.getPropertyName()
                : null;
    }

    private void setTypeId(BeanDescription bean, @Nullable String name, Object value) throws IOException {
        for (BeanPropertyDefinition property : bean.findProperties()) {
            AnnotatedMember member = property.getMutator();
            if (member == null || !property.getName().equals(name)) {
                continue;
            }
            TypeSerializer typing = mapper.getSerializerProviderInstance().findTypeSerializer(bean.getType());
            TypeIdResolver ids = typing.getTypeIdResolver();
            JavaType type = member instanceof AnnotatedMethod method ? method.getParameterType(0) : member.getType();
            member.fixAccess(true);
            member.setValue(value, mapper.convertValue(ids.idFromValue(value), type));
        }
    }

    private boolean isLeftOut(BeanPropertyDefinition property) {
        AnnotatedMember member = property.getPrimaryMember();
        SchemaFrom from = member == null ? null : member.getAnnotation(SchemaFrom.class);
        return only != null && open.size() == 1 && !only.equals(property.getName())
                || from != null && from.type() == void.class
                || member != null && member.hasAnnotation(JsonRawValue.class);
    }

    private @Nullable Object property(BeanDescription bean, String name, AnnotatedMember member, String path)
            throws IOException {
        String child = path.isEmpty() ? name : path + "." + names.transform(name);
        JavaType declared = member instanceof AnnotatedMethod method && method.getParameterCount() == 1
                ? method.getParameterType(0)
                : member.getType();
        JavaType type = config.getAnnotationIntrospector().refineDeserializationType(config, member, declared);
        Origin origin = new Origin("'" + name + "' of " + bean.getBeanClass().getName(), type, isReadByOwn(member));
        NameTransformer unwrapping = config.getAnnotationIntrospector().findUnwrappingNameTransformer(member);
        NameTransformer outer = names;
        try {
            if (unwrapping == null) {
                origins.putIfAbsent(child, origin);
                names = NameTransformer.NOP;
                return next(type, member, child);
            }
            List<String> places = unwrapped.computeIfAbsent("." + path, absent -> new ArrayList<>());
            if (!places.contains(origin.place())) {
                places.add(origin.place());
            }
            names = NameTransformer.chainedTransformer(outer, unwrapping);
            return next(type, member, path);
        } finally {
            names = outer;
        }
    }

    private boolean isReadByOwn(AnnotatedMember member) {
        AnnotationIntrospector annotations = config.getAnnotationIntrospector();
        return annotations.findDeserializer(member) != null
                || annotations.findContentDeserializer(member) != null
                || annotations.findDeserializationConverter(member) != null
                || annotations.findDeserializationContentConverter(member) != null;
    }

    @SuppressWarnings("unchecked")
    private static void addTo(Object value, AnnotatedMember getter, @Nullable Object sample) {
        getter.fixAccess(true);
        Object container = getter.getValue(value);
        if (container instanceof Collection<?> && sample instanceof Collection<?> items) {
            ((Collection<Object>) container).addAll(items);
        } else if (container instanceof Map<?, ?> && sample instanceof Map<?, ?> entries) {
            ((Map<Object, Object>) container).putAll(entries);
        }
    }

    private Object instantiate(ValueInstantiator instantiator, BeanDescription bean, String path, Set<String> done)
            throws IOException {
        if (instantiator.canCreateFromObjectWith()) {
            SettableBeanProperty[] arguments = instantiator.getFromObjectArguments(config);
            Object[] values = new Object[arguments.length];
            for (int i = 0; i < values.length; i++) {
                SettableBeanProperty argument = arguments[i];
                done.add(argument.getName());
                boolean isLeftOut = argument.getName().equals(typeIdProperty(bean.getType()))
                        || only != null && open.size() == 1 && !only.equals(argument.getName());
                Object sample = isLeftOut ? null : property(bean, argument.getName(), argument.getMember(), path);
                values[i] = sample == null && argument.getType().isPrimitive()
                        ? Array.get(Array.newInstance(argument.getType().getRawClass(), 1), 0)
                        : sample;
            }
            return instantiator.createFromObjectWith(context, values);
        }
        if (instantiator.canCreateUsingDefault()) {
            return instantiator.createUsingDefault(context);
        }
        if (instantiator.canCreateUsingDelegate()) {
            return instantiator.createUsingDelegate(context, next(instantiator.getDelegateType(config), null, path));
        }
        return fromScalar(instantiator);
    }

    private Object fromScalar(ValueInstantiator instantiator) throws IOException {
        if (instantiator.canCreateFromString()) {
            return instantiator.createFromString(context, "text");
        }
        if (instantiator.canCreateFromInt()) {
            return instantiator.createFromInt(context, 7);
        }
        if (instantiator.canCreateFromLong()) {
            return instantiator.createFromLong(context, 7);
        }
        if (instantiator.canCreateFromDouble()) {
            return instantiator.createFromDouble(context, 1.5);
        }
        if (instantiator.canCreateFromBoolean()) {
            return instantiator.createFromBoolean(context, true);
        }
        throw new IOException("it has no constructor that Jackson can call"
                + (MemberMarks.isKotlin(instantiator.getValueClass())
                        ? ": add jackson-module-kotlin to your dependencies, or give each property a default"
                        : ""));
    }
}
