package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.PropertyMetadata;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.TypeResolutionContext;
import com.fasterxml.jackson.databind.introspect.VirtualAnnotatedMember;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitable;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonStringFormatVisitor;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.ser.PropertyWriter;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.databind.util.SimpleBeanPropertyDefinition;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.generator.annotation.ValidationRules;
import io.github.reconciler4j.crd.Immutable;
import io.github.reconciler4j.crd.ListType;
import io.github.reconciler4j.crd.SchemaDetails;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodType;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes a type with subtypes: an object with the type id and the fields of each subtype. */
final class SubtypesSerializer extends DescribingSerializer {

    private final @Nullable TypeSerializer typing;
    private final @Nullable AnnotatedMember member;
    private final MemberMarks marks;

    /**
     * Create one.
     *
     * @param typing how the type id is written, null if the annotations of the type say so
     * @param member the property whose annotations name the subtypes, null if those of the type do
     */
    SubtypesSerializer(
            JsonSerializer<?> serializer,
            @Nullable TypeSerializer typing,
            @Nullable AnnotatedMember member,
            MemberMarks marks) {
        super(serializer instanceof SubtypesSerializer other ? other.serializer() : serializer);
        this.typing = typing;
        this.member = member;
        this.marks = marks;
    }

    @Override
    SubtypesSerializer with(JsonSerializer<?> other) {
        return new SubtypesSerializer(other, typing, member, marks);
    }

    @Override
    public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) throws JsonMappingException {
        marks.describe(type, visitor, seen -> describe(seen, type));
    }

    private void describe(JsonFormatVisitorWrapper visitor, JavaType type) throws JsonMappingException {
        SerializerProvider provider = visitor.getProvider();
        TypeSerializer found = typing == null ? provider.findTypeSerializer(type) : typing;
        if (found == null) {
            super.acceptJsonFormatVisitor(visitor, type);
            return;
        }
        @Nullable TypeIdResolver ids = found.getTypeIdResolver(); // null if the class is deduced from the fields
        List<JavaType> subtypes = Subtypes.of(provider.getConfig(), type, member, ids);
        if (subtypes.isEmpty()) {
            throw new Undescribable(
                    "Jackson knows no subtype of " + type.getRawClass().getName()
                            + ", so its fields cannot be described: name them with @JsonSubTypes");
        }
        switch (found.getTypeInclusion()) {
            case WRAPPER_ARRAY ->
                throw new Undescribable(type.getRawClass().getName() + " is written as an array of its type id and"
                        + " its fields, which no schema can describe: use @JsonTypeInfo(include = As.PROPERTY)");
            case WRAPPER_OBJECT -> wrapped(visitor.expectObjectFormat(type), subtypes, ids, provider);
            default -> union(visitor.expectObjectFormat(type), type, subtypes, found, provider);
        }
    }

    private static void wrapped(
            JsonObjectFormatVisitor object, List<JavaType> subtypes, TypeIdResolver ids, SerializerProvider provider)
            throws JsonMappingException {
        for (JavaType subtype : subtypes) {
            BeanSerializerBase fields = fields(subtype, provider);
            object.optionalProperty(
                    property(ids.idFromValueAndType(null, subtype.getRawClass()), subtype, fields, provider));
        }
    }

    private void union(
            JsonObjectFormatVisitor object,
            JavaType type,
            List<JavaType> subtypes,
            TypeSerializer found,
            SerializerProvider provider)
            throws JsonMappingException {
        Union union = new Union(object, subtypes.size() > 1);
        @Nullable TypeIdResolver ids = found.getTypeIdResolver();
        boolean isInside = found.getTypeInclusion() == JsonTypeInfo.As.PROPERTY
                || found.getTypeInclusion() == JsonTypeInfo.As.EXISTING_PROPERTY;
        if (isInside && found.getPropertyName() != null && ids != null) {
            WrittenTypes.Described id = typeId(found.getPropertyName(), subtypes, ids, provider);
            object.optionalProperty(isRequired(type, provider) ? new RequiredProperty(id) : id);
            union.taken = found.getPropertyName();
        }
        for (JavaType subtype : subtypes) {
            for (Iterator<PropertyWriter> each = fields(subtype, provider).properties(); each.hasNext(); ) {
                each.next().depositSchemaProperty(union, provider);
            }
        }
        union.finish(type, marks);
    }

    /** Describe a type id that is written beside the object. */
    void describeOutside(JsonObjectFormatVisitor parent, JavaType type, SerializerProvider provider)
            throws JsonMappingException {
        if (typing == null || member == null || typing.getTypeInclusion() != JsonTypeInfo.As.EXTERNAL_PROPERTY) {
            return;
        }
        String name = typing.getPropertyName();
        TypeIdResolver ids = typing.getTypeIdResolver();
        boolean isDeclared =
                provider
                        .getConfig()
                        .introspect(provider.constructType(member.getDeclaringClass()))
                        .findProperties()
                        .stream()
                        .anyMatch(property -> property.getName().equals(name));
        if (!isDeclared) {
            List<JavaType> subtypes = Subtypes.of(provider.getConfig(), type, member, ids);
            parent.optionalProperty(typeId(name, subtypes, ids, provider));
        }
    }

    private static WrittenTypes.Described typeId(
            String name, List<JavaType> subtypes, TypeIdResolver ids, SerializerProvider provider) {
        Set<String> names = new LinkedHashSet<>();
        if (Subtypes.hasNames(ids)) {
            subtypes.forEach(subtype -> names.add(ids.idFromValueAndType(null, subtype.getRawClass())));
        }
        return property(name, provider.constructType(String.class), new TypeIds(names), provider);
    }

    /** Without a type id, Jackson can read an object only if there is a default. */
    private boolean isRequired(JavaType type, SerializerProvider provider) {
        Annotated annotated = member == null
                ? provider.getConfig().introspectClassAnnotations(type).getClassInfo()
                : member;
        JsonTypeInfo.Value info =
                provider.getAnnotationIntrospector().findPolymorphicTypeInfo(provider.getConfig(), annotated);
        return info != null && info.getDefaultImpl() == null;
    }

    private static BeanSerializerBase fields(JavaType subtype, SerializerProvider provider)
            throws JsonMappingException {
        JsonSerializer<?> serializer = provider.findValueSerializer(subtype);
        if (serializer instanceof DescribingSerializer describing) {
            serializer = describing.serializer();
        }
        if (serializer instanceof BeanSerializerBase bean) {
            return bean;
        }
        throw new Undescribable("The subtype " + subtype.getRawClass().getName() + " is written by "
                + serializer.getClass().getName()
                + ", whose fields are not known: describe the property with @SchemaFrom(type = ...)");
    }

    /** Return a property that no class has. */
    static WrittenTypes.Described property(
            String name, JavaType type, JsonSerializer<?> serializer, SerializerProvider provider) {
        AnnotatedMember none = new VirtualAnnotatedMember(
                new TypeResolutionContext.Empty(provider.getTypeFactory()), Object.class, name, type);
        SimpleBeanPropertyDefinition definition = SimpleBeanPropertyDefinition.construct(
                provider.getConfig(),
                none,
                PropertyName.construct(name),
                PropertyMetadata.STD_OPTIONAL,
                JsonInclude.Include.ALWAYS);
        return new WrittenTypes.Described(
                new com.fasterxml.jackson.databind.ser.BeanPropertyWriter(
                        definition, none, null, type, null, null, type, false, null, null),
                type,
                serializer);
    }

    /** Says why there is no schema for a type; who knows the property adds it. */
    static final class Undescribable extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        Undescribable(String message) {
            super(message);
        }
    }

    /** Describes the type id. */
    private static final class TypeIds extends DescribingSerializer {

        private final Set<String> names;

        TypeIds(Set<String> names) {
            super(new com.fasterxml.jackson.databind.ser.std.StringSerializer());
            this.names = names;
        }

        @Override
        TypeIds with(JsonSerializer<?> other) {
            return new TypeIds(names);
        }

        @Override
        public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type)
                throws JsonMappingException {
            JsonStringFormatVisitor text = visitor.expectStringFormat(type);
            if (text != null && !names.isEmpty()) {
                text.enumTypes(names);
            }
        }
    }

    /** A property that must be there. */
    private static final class RequiredProperty extends com.fasterxml.jackson.databind.ser.BeanPropertyWriter {

        private static final long serialVersionUID = 1L;

        @Required
        private static final String SOME = "";

        RequiredProperty(WrittenTypes.Described original) {
            super(original);
        }

        @Override
        public <A extends Annotation> @Nullable A getAnnotation(Class<A> annotation) {
            try {
                return annotation == Required.class
                        ? RequiredProperty.class.getDeclaredField("SOME").getAnnotation(annotation)
                        : super.getAnnotation(annotation);
            } catch (NoSuchFieldException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /**
     * Collects the fields of subtypes. What one subtype requires, its defaults, and its limits of a field that others have, do not
     * hold.
     */
    private static final class Union implements JsonObjectFormatVisitor {

        private static final Set<Class<? extends Annotation>> LIMITS = Set.of(
                Required.class,
                Min.class,
                Max.class,
                Pattern.class,
                Size.class,
                Default.class,
                ValidationRule.class,
                ValidationRules.class,
                Immutable.class,
                ListType.class,
                SchemaDetails.class);

        private final JsonObjectFormatVisitor object;
        private final boolean isMixed;
        private final Map<String, WrittenTypes.Described> fields = new LinkedHashMap<>();
        private final Set<String> shared = new HashSet<>();
        private @Nullable String taken;

        Union(JsonObjectFormatVisitor object, boolean isMixed) {
            this.object = object;
            this.isMixed = isMixed;
        }

        /** Describe the collected fields. */
        void finish(JavaType type, MemberMarks marks) throws JsonMappingException {
            for (WrittenTypes.Described field : fields.values()) {
                Set<Class<? extends Annotation>> hidden = shared.contains(field.getName())
                        ? LIMITS
                        : isMixed && !isOfBase(field, type) ? Set.of(Required.class, Default.class) : Set.of();
                object.optionalProperty(
                        hidden.isEmpty() ? field : field.without(hidden, marks.without(field.mark(), hidden)));
            }
        }

        private static boolean isOfBase(BeanProperty field, JavaType type) {
            return field.getMember().getDeclaringClass().isAssignableFrom(type.getRawClass());
        }

        @Override
        public void optionalProperty(BeanProperty property) {
            WrittenTypes.Described field = (WrittenTypes.Described) property;
            String name = field.getName();
            WrittenTypes.Described first = name.equals(taken) ? field : fields.putIfAbsent(name, field);
            if (first == null
                    || first.getMember().getMember().equals(field.getMember().getMember())) {
                return;
            }
            shared.add(name);
            if (!boxed(first).equals(boxed(field))) {
                throw new Undescribable("The subtypes "
                        + first.getMember().getDeclaringClass().getName() + " and "
                        + field.getMember().getDeclaringClass().getName() + " both have '" + name
                        + "', but of the types "
                        + boxed(first).toCanonical() + " and " + boxed(field).toCanonical()
                        + ", of which a schema can have only one: rename one of them, or use the same type");
            }
        }

        private static JavaType boxed(BeanProperty property) {
            JavaType type = property.getType();
            return type.isPrimitive()
                    ? TypeFactory.defaultInstance()
                            .constructType(MethodType.methodType(type.getRawClass())
                                    .wrap()
                                    .returnType())
                    : type;
        }

        @Override
        public void property(BeanProperty property) {
            optionalProperty(property);
        }

        @Override
        public void optionalProperty(String name, JsonFormatVisitable handler, JavaType type)
                throws JsonMappingException {
            object.optionalProperty(name, handler, type);
        }

        @Override
        public void property(String name, JsonFormatVisitable handler, JavaType type) throws JsonMappingException {
            object.property(name, handler, type);
        }

        @Override
        public SerializerProvider getProvider() {
            return object.getProvider();
        }

        @Override
        public void setProvider(SerializerProvider provider) {
            object.setProvider(provider);
        }
    }
}
